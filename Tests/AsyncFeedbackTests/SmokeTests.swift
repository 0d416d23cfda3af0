import AsyncFeedback
import Observation
import Testing

struct Counter: SystemProtocol {
  struct State { var count = 1; var message: String? }
  enum Event { case messageChanged(String?), countEntered(Int), incremented }
  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .messageChanged(let message): state.message = message
      case .countEntered(let count): state.count = count
      case .incremented: state.count += 1
      }
    }
  }
  func feedbacks() -> [Feedback<Self>] {
    [
      Feedback(.onChanged(\.count)) { state in
        .messageChanged(state.count.isMultiple(of: 3) ? "multiple of 3!!" : nil)
      },
      Feedback(.onChanged(\.count), name: "async") { _ async in nil },
    ]
  }
}

@Suite struct SmokeTests {
  @Test @MainActor func counterOnMain() async {
    let context = Context(state: .init(), system: Counter(), monitor: PrintMonitor())
    let running = context.start()
    await context.quiet()
    context.send(.countEntered(3))
    #expect(context.count == 3)
    #expect(context.message == "multiple of 3!!")
    context.binding.count.wrappedValue = 4
    #expect(context.count == 4)
    #expect(context.message == nil)
    await context.send(.countEntered(9)).settled()
    #expect(context.message == "multiple of 3!!")
    running.stop()
    #expect(!context.isRunning)
    await running.ended()
  }
  @Test func counterInBackground() async {
    let context = Context(state: .init(), system: Counter(), executor: .background)
    let running = context.start()
    for _ in 0..<1000 { context.send(.incremented) }
    await context.send(.incremented).settled()
    #expect(await context.state.count == 1002)
    running.stop()
    await running.ended()
  }
}
