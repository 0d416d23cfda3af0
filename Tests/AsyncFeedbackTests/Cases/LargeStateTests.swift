import AsyncFeedbackTestSupport
import Testing

@testable import AsyncFeedback

@Suite("Large state") struct LargeStateTests {
  struct Large: Sendable {
    var elements: [Int]
    var count = 0
  }

  enum Event: Sendable { case changed(Int), counted }

  /// Sends on the context's executor and from elsewhere, and notes where the elements stand.
  private func places(
    elements count: Int, feedbacks: [Feedback<ClosureSystem<Large, Event>>]
  ) async -> Set<Int> {
    let places = Journal<Int>()
    let context = Context(
      state: Large(elements: Array(repeating: 0, count: count)),
      system: ClosureSystem<Large, Event>(
        reduce: { state, event in
          switch event {
          case .changed(let index):
            state.elements[index] += 1
            state.count += 1
            places.note(state.elements.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
          case .counted: state.count += 1
          }
        }, list: feedbacks), executor: .background)
    let running = context.start()
    await context.send(.changed(0)).settled()
    places.clear()
    for index in 0..<10_000 { context.send(.changed(index % count)) }
    await context.quiet()
    running.stop()
    await running.ended()
    #expect(places.count == 10_000)
    return Set(places.entries)
  }

  @Test("L2: ten thousand events that touch one element each copy the array never")
  func l2() async {
    let places = await places(
      elements: 1_000_000,
      feedbacks: [
        Feedback(.onChanged(\.count)) { state in state.count < 0 ? .counted : nil },
        Feedback(.onChanged(\.count), policy: .dropping) { _ in nil },
        Feedback.request({ $0.count }) { _ async in nil },
      ])
    #expect(places.count == 1)
  }

  @Test("L4: unrelated events compare no element of a large collection")
  func l4() {
    struct Rows: Sendable {
      var rows: [Compared]
      var index: [String: Compared]
      var other = 0
    }
    let comparisons = Comparisons()
    let rows = (0..<100_000).map { Compared(number: $0, comparisons: comparisons) }
    let index = Dictionary(uniqueKeysWithValues: rows.prefix(1_000).map { ("\($0.number)", $0) })
    let runs = Journal<String>()
    let rehearsal = Rehearsal<Rows, Change<Rows>>(Rows(rows: rows, index: index)) { _ in
      Feedback(.onChanged(\.rows)) { _ in runs.note("rows", answering: nil) }
      Feedback(.onChanged(\.rows, \.index)) { _ in runs.note("both", answering: nil) }
      Feedback.request({ $0.rows }) { _ in runs.note("request", answering: nil) }
    }
    rehearsal.run()
    runs.clear()
    for _ in 0..<100 { rehearsal.send(Change { $0.other += 1 }) }
    #expect(comparisons.count == 0)
    #expect(runs.entries == [])
    rehearsal.send(Change { $0.rows[0].number = -1 })
    #expect(runs.entries == ["rows", "both", "request"])
    #expect(comparisons.count <= 6, "the first element differs")
  }

  @Test(
    "L4: each compares no element while the storage is shared, and each element once when it is not"
  )
  func l4Each() {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var value: Compared
    }
    let comparisons = Comparisons()
    let rows = (0..<1_000).map { Row(id: $0, value: Compared(number: 0, comparisons: comparisons)) }
    let runs = Journal<Int>()
    let rehearsal = Rehearsal<[Row], Change<[Row]>>(rows) { _ in
      Feedback.each(\.self) { row in runs.note(row.id, answering: nil) }
    }
    rehearsal.run()
    runs.clear()
    for _ in 0..<10 { rehearsal.send(Change { _ in }) }
    #expect(comparisons.count == 0)
    rehearsal.send(Change { $0[5].value.number = 1 })
    #expect(runs.entries == [5])
    #expect(comparisons.count <= 2_000)
  }
}
