import AsyncFeedback
import Testing

@Suite("Law 14: in place") struct Law14InPlaceTests {
  struct Fields: Sendable {
    var rows = Array(repeating: 0, count: 1_000)
    var count = 0
    var request: Int?
    var name = ""

    /// Where the elements stand in memory.
    var place: Int {
      rows.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
  }

  enum Event: Sendable { case rowChanged(Int), counted, requested(Int?), nothing }

  /// A system that notes where the rows stand after each event that changes one.
  private func system(
    _ places: Journal<Int>, _ feedbacks: [Feedback<ClosureSystem<Fields, Event>>]
  ) -> ClosureSystem<Fields, Event> {
    ClosureSystem<Fields, Event>(
      reduce: { state, event in
        switch event {
        case .rowChanged(let row):
          state.rows[row] += 1
          places.note(state.place)
        case .counted: state.count += 1
        case .requested(let request): state.request = request
        case .nothing: break
        }
      }, list: feedbacks)
  }

  private static let feedbacks: [Feedback<ClosureSystem<Fields, Event>>] = [
    Feedback(.onChanged(\.count)) { state in state.rows[0] < 0 ? .counted : nil },
    Feedback(.onChanged(\.count, \.name)) { _ in .nothing },
    Feedback(.filter { $0.rows.count == 3 }) { _ async in .nothing },
    Feedback(.while { $0.rows[3] < 0 }) { _ async in .nothing },
    Feedback.request(\.request) { number async in .nothing },
    Feedback.on({ if case .rowChanged(let row) = $0 { row } else { nil } }) { row in .nothing },
    Feedback.on({ if case .rowChanged(let row) = $0 { row } else { nil } }) { row async in .nothing
    },
  ]

  @MainActor @Test func everyEventChangesTheStateWhereItStands() async {
    let places = Journal<Int>()
    let context = Context(state: Fields(), system: system(places, Self.feedbacks))
    let running = context.start()
    await context.quiet()
    let told = Journal<String>()
    // The first change may copy, since the initial state belongs to the test as well.
    context.send(.rowChanged(0))
    let place = context.rows.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    track("count", told) { context.count }
    for row in 0..<100 {
      context.send(.rowChanged(row))
      context.send(.counted)
      context.send(.requested(row))
    }
    await context.quiet()
    for row in 0..<100 { await context.send(.rowChanged(row)).value }
    // Reading `rows` watches it, which keeps its value until the next change.
    #expect(Set(places.entries.dropFirst(2)).count == 1, "moved away from \(place)")
    running.stop()
  }

  @Test func chainsFromOutsideChangeTheStateWhereItStands() {
    let places = Journal<Int>()
    let system = system(places, Self.feedbacks)
    let rehearsal = Rehearsal<Fields, Event>(Fields(), reduce: system.reduce) { _ in system.list }
    rehearsal.run()
    rehearsal.send(.rowChanged(0))
    places.clear()
    for row in 0..<100 { rehearsal.send(.rowChanged(row), .counted, .requested(row)) }
    #expect(places.count == 100)
    #expect(Set(places.entries).count == 1)
  }

  @MainActor @Test func aConsumerOfAnotherFieldsValuesKeepsNoCopy() async {
    let places = Journal<Int>()
    let context = Context(state: Fields(), system: system(places, []))
    let running = context.start()
    var values = context.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    context.send(.rowChanged(0))
    places.clear()
    for row in 0..<100 { context.send(.rowChanged(row)) }
    #expect(Set(places.entries).count == 1)
    running.stop()
  }

  @MainActor @Test func aBindingWritesInPlace() async {
    let places = Journal<Int>()
    let context = Context(
      state: Fields(),
      system: system(
        places,
        [Feedback(.filter { _ in true }) { state in places.note(state.place, answering: nil) }]))
    let running = context.start()
    await context.quiet()
    context.binding.rows[1].wrappedValue = 5
    places.clear()
    for row in 0..<100 { context.binding.name.wrappedValue = "\(row)" }
    #expect(places.count == 100)
    #expect(Set(places.entries).count == 1)
    running.stop()
  }

  @Test func anEventComparesNothingOfTheFieldsThatNobodyWatches() {
    struct Large: Sendable {
      var rows: [Compared]
      var count = 0
    }
    let comparisons = Comparisons()
    let rows = (0..<1_000).map { Compared(number: $0, comparisons: comparisons) }
    let rehearsal = Rehearsal<Large, Change<Large>>(Large(rows: rows)) { _ in
      Feedback(.onChanged(\.count)) { _ in nil }
    }
    rehearsal.run()
    for _ in 0..<10 { rehearsal.send(Change { $0.count += 1 }) }
    rehearsal.send(Change { $0.rows[5].number = -1 })
    #expect(comparisons.count == 0)
  }
}
