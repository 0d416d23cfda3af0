/// An order of what is ready: where a job goes next that is not the one that waits longest.
///
/// A failure of ``exploreSchedules(_:_:seed:_:)`` prints one, and
/// ``exploreSchedules(order:_:)`` takes it. `[4: 1]` reads: at choice 4 the job at place 1 goes,
/// and at every other choice the one at place 0, which waits longest. Both are counted from 0. A choice is
/// a moment at which several may go.
///
/// ```swift
/// let order: ScheduleOrder = [4: 1, 9: 2]
/// print(order)  // [4: 1, 9: 2]
/// ```
public struct ScheduleOrder: Sendable, Hashable {
  private var places: [Int: Int] = [:]

  /// How many choices differ from the order in which the jobs came.
  public var count: Int { places.count }

  /// Whether the jobs go in the order in which they came.
  public var isEmpty: Bool { places.isEmpty }

  /// The choices that differ, the first one first.
  package var positions: [Int] { places.keys.sorted() }

  /// The place of the job that goes at a choice.
  package subscript(choice: Int) -> Int {
    get { places[choice] ?? 0 }
    set { places[choice] = newValue == 0 ? nil : newValue }
  }

  /// The order that these choices are.
  package init(_ choices: [Schedule.Choice]) {
    for (position, choice) in choices.enumerated() where choice.taken > 0 {
      places[position] = choice.taken
    }
  }

  /// The same order without some of its choices.
  package func without(_ positions: some Sequence<Int>) -> ScheduleOrder {
    var order = self
    for position in positions { order.places[position] = nil }
    return order
  }
}

extension ScheduleOrder: ExpressibleByDictionaryLiteral {
  /// Makes the order in which at each of the choices the job at its place goes.
  public init(dictionaryLiteral elements: (Int, Int)...) {
    self.init(elements)
  }

  /// The same from a list.
  package init(_ elements: [(Int, Int)]) {
    for (choice, place) in elements {
      precondition(choice >= 0, "a choice of an order must not be negative (was \(choice))")
      precondition(place >= 0, "a place of an order must not be negative (was \(place))")
      self[choice] = place
    }
  }
}

extension ScheduleOrder: CustomStringConvertible {
  /// The order as a literal.
  public var description: String {
    guard !isEmpty else { return "[:]" }
    return "[\(positions.map { "\($0): \(self[$0])" }.joined(separator: ", "))]"
  }
}
