import AsyncFeedback
import Observation
import Testing

@Suite("Bindings to a place in a collection") @MainActor struct BindingPlaceTests {
  private struct Table: SystemProtocol {
    struct Row { var cells: [Int] }
    struct State { var rows = [Row(cells: [1, 2]), Row(cells: [3, 4])] }
    enum Event { case rowsReplaced([[Int]]) }

    func reducer() -> Reducer {
      { state, event in
        switch event {
        case .rowsReplaced(let rows): state.rows = rows.map { Row(cells: $0) }
        }
      }
    }

    func feedbacks() -> [Feedback<Self>] { [] }
  }

  private final class Count: @unchecked Sendable {
    // Counted on the main actor, where all of these tests run.
    var value = 0
  }

  private func track(_ context: Context<Table>) -> Count {
    let count = Count()
    withObservationTracking {
      _ = context.binding.rows[1].cells[1].wrappedValue
    } onChange: {
      count.value += 1
    }
    return count
  }

  @Test(arguments: [[[1, 2]], [], [[1, 2], [3]], [[1, 2], []]])
  func aPlaceThatIsGoneCountsAsAChange(rows: [[Int]]) async {
    let context = Context(state: .init(), system: Table())
    let running = context.start()
    await context.quiet()
    let count = track(context)
    context.send(.rowsReplaced(rows))
    #expect(count.value == 1)
    context.send(.rowsReplaced([]))
    #expect(count.value == 1)
    running.stop()
    await running.ended()
  }

  @Test func aPlaceThatStaysIsToldOfItsOwnChangeAlone() async {
    let context = Context(state: .init(), system: Table())
    let running = context.start()
    await context.quiet()
    let count = track(context)
    context.send(.rowsReplaced([[7, 8], [9, 4], [5]]))
    #expect(count.value == 0)
    context.binding.rows[1].cells[1].wrappedValue = 6
    #expect(count.value == 1)
    #expect(context.rows[1].cells[1] == 6)
    running.stop()
    await running.ended()
  }
}
