import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

private struct Loader: SystemProtocol {
  struct State: Equatable {
    var isLoading = false
    var items: [Int] = []
    var note = ""
  }

  enum Event {
    case loadTapped
    case loaded([Int])
    case noted(String)
  }

  let clock: TestClock

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .loadTapped: state.isLoading = true
      case .loaded(let items):
        state.isLoading = false
        state.items += items
      case .noted(let note): state.note = note
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    [
      Feedback(.while(\.isLoading), name: "load") { [clock] _ in
        try? await clock.sleep(for: .seconds(1))
        return .loaded([1, 2])
      },
      Feedback(.onChanged(\.items), name: "note") { state in
        state.items.isEmpty ? nil : .noted("\(state.items.count) items")
      },
    ]
  }
}

@Suite struct TestContextTests {
  @Test @MainActor func aStepEndsWhenTheSystemIsAtRest() async {
    let clock = TestClock()
    let context = TestContext(state: .init(), system: Loader(clock: clock))
    await context
      .check { state in #expect(state == .init()) }
      .run()
      .send(.loadTapped)
      .check { state in #expect(state.isLoading) }
      .advance(by: .seconds(1))
      .check { state in
        #expect(state.items == [1, 2])
        #expect(state.note == "2 items")
      }
      .finish()
  }

  @Test func theChainWorksOffTheMainActor() async {
    let clock = TestClock()
    let context = TestContext(state: .init(), system: Loader(clock: clock))
    await context
      .run()
      .send(.loadTapped)
      .do { clock.advance(by: .seconds(1)) }
      .suspend(while: \.isLoading)
      .suspend(while: context.state.note.isEmpty)
      .check { state in #expect(state.items == [1, 2]) }
      .finish()
  }

  @Test func aConditionMayBeAFlagAnExpressionOrAClosure() async {
    let clock = TestClock()
    let context = TestContext(state: .init(), system: Loader(clock: clock))
    await context.run().send(.loadTapped)
      .do { clock.advance(by: .seconds(1)) }
      .suspend(while: { state in state.items.isEmpty })
      .suspend(while: { $0.note.isEmpty })
      .suspend(while: \.isLoading)
      .suspend(while: context.state.note.isEmpty)
      .finish()
    #expect(context.state == .init(items: [1, 2], note: "2 items"))
  }

  @Test func aSendShowsItsOwnChangeAlone() async {
    let context = TestContext(state: .init(), system: Loader(clock: TestClock()))
    await context.run().send(.loaded([7]))
    #expect(context.state.items == [7])
    #expect(context.state.note == "")
    await context.settle()
    #expect(context.state.note == "1 items")
    context.finish()
  }

  @Test @MainActor func aBindingTriggersTheFeedbacksOfWhatItChanges() async {
    let context = TestContext(state: .init(), system: Loader(clock: TestClock()))
    await context
      .run()
      .do {
        context.eventBinding.items.wrappedValue = [3]
        #expect(context.state.items == [3])
      }
      .suspend(while: context.state.note.isEmpty)
      .check { state in #expect(state.note == "1 items") }
      .finish()
  }
}
