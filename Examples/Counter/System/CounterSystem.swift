package import AsyncFeedback

/// Counts, and cheers at multiples of three.
package struct Counter: SystemProtocol {
  package struct State {
    package var count = 1
    package var message: String?
    package init() {}
  }

  package enum Event {
    case incremented
    case decremented
    case countEntered(Int)
    case messageChanged(String?)
  }

  package init() {}

  package func reducer() -> Reducer {
    { state, event in
      switch event {
      case .incremented: state.count += 1
      case .decremented: state.count -= 1
      case .countEntered(let count): state.count = count
      case .messageChanged(let message): state.message = message
      }
    }
  }

  package func feedbacks() -> [Feedback<Self>] {
    Feedback(.onChanged(\.count)) { state in
      .messageChanged(state.count.isMultiple(of: 3) ? "multiple of 3!!" : nil)
    }
  }
}
