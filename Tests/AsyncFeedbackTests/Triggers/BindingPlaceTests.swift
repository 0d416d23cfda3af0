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

  @Test func aPlaceThatStaysIsNotToldThatOthersHaveGone() async {
    let context = Context(state: .init(), system: Table())
    let running = context.start()
    await context.quiet()
    let count = Count()
    withObservationTracking {
      _ = context.binding.rows[0].cells[0].wrappedValue
    } onChange: {
      count.value += 1
    }
    context.send(.rowsReplaced([[1]]))
    #expect(count.value == 0)
    context.send(.rowsReplaced([[]]))
    #expect(count.value == 1)
    running.stop()
    await running.ended()
  }

  @Test func aWriteBehindAnEventThatTakesItsPlaceAwayWritesNothing() async {
    let context = Context(state: .init(), system: Table())
    context.send(.rowsReplaced([[1, 2], [3]]))
    context.binding.rows[1].cells[1].wrappedValue = 9
    context.binding.rows[1].cells[0].wrappedValue = 8
    let running = context.start()
    await context.quiet()
    #expect(context.rows.map(\.cells) == [[1, 2], [8]])
    elsewhere { context.send(.rowsReplaced([[5]]), caller: nil) }
    context.binding.rows[1].cells[0].wrappedValue = 7
    #expect(context.rows.map(\.cells) == [[5]])
    running.stop()
    await running.ended()
  }

  @Test func thePlacesOfASliceBeginWhereItBegins() async {
    struct Slice: SystemProtocol {
      struct State { var slice = [0, 1, 2, 3][2...] }

      func reducer() -> (inout State, [Int]) -> Void { { $0.slice = $1[...] } }
      func feedbacks() -> [Feedback<Self>] { [] }
    }
    let context = Context(state: .init(), system: Slice())
    let running = context.start()
    await context.quiet()
    let count = Count()
    withObservationTracking {
      #expect(context.binding.slice[3].wrappedValue == 3)
    } onChange: {
      count.value += 1
    }
    context.send([7, 8])
    #expect(count.value == 1)
    context.binding.slice[3].wrappedValue = 1
    context.binding.slice[1].wrappedValue = 9
    #expect(context.slice == [7, 9])
    running.stop()
    await running.ended()
  }

  @Test func aBindingOfTwoFunctionsWritesNothingWhereNoPlaceIs() {
    var numbers = [1, 2]
    let binding = ContextBinding(get: { numbers }, set: { numbers = $0 })
    let second = binding[1]
    second.wrappedValue = 3
    #expect(numbers == [1, 3])
    numbers = [5]
    second.wrappedValue = 4
    #expect(numbers == [5])
  }

  @Test func anEventOfABindingMayTakeItsPlaceAwayWhereNobodyLooks() async {
    let context = Context(state: .init(), system: Table())
    let running = context.start()
    await context.quiet()
    let cell = context.binding(\.rows[1].cells[1]) { _ in .rowsReplaced([]) }
    cell.wrappedValue = 5
    #expect(context.rows.count == 0)
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
