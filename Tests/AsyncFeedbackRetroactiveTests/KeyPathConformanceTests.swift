import AsyncFeedback
import Testing

// What a client may have declared for itself. The library declares no conformance of key paths, so
// the two do not meet.
extension KeyPath: @retroactive @unchecked Sendable {}

struct Counter: SystemProtocol {
  struct State {
    var count = 0
    var changes = 0
  }

  enum Event { case incremented, changeSeen }

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .incremented: state.count += 1
      case .changeSeen: state.changes += 1
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    let keyPath = \State.count
    Feedback(.onChanged(keyPath)) { _ in .changeSeen }
  }
}

@Test("O8: a client that conforms key paths itself compiles")
func o8() async {
  let context = Context(state: .init(), system: Counter(), executor: .background)
  let running = context.start()
  await context.quiet()
  await context.send(.incremented).settled()
  #expect(await context.state.changes == 2)
  running.stop()
  await running.ended()
}
