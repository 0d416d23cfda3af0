/// The answers that failures have taken in place of the test.
///
/// A test that goes on after such a failure receives them later, and is not to fail once more for it.
struct TakenAnswers {
  private var places: [Int: SourcePlace] = [:]
  private var received: Set<Int> = []

  var isEmpty: Bool { places.isEmpty }

  /// Notes that the failure at this place has taken the events of these numbers.
  mutating func add(_ numbers: some Sequence<Int>, at place: SourcePlace) {
    for number in numbers { places[number] = place }
  }

  /// Where the failure is that has taken an event.
  func place(of number: Int) -> SourcePlace? { places[number] }

  /// Whether an event was taken that the test has not received since.
  func isOpen(_ number: Int) -> Bool { places[number] != nil && !received.contains(number) }

  /// Notes that the test has received an event that was taken.
  mutating func receive(_ number: Int) { received.insert(number) }

  /// Notes that the test has received the oldest events that were taken.
  ///
  /// - Returns: how many there were.
  mutating func receive(atMost count: Int) -> Int {
    let open = places.keys.filter(isOpen).sorted().prefix(count)
    received.formUnion(open)
    return open.count
  }
}
