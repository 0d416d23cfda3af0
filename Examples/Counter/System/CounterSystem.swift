public import AsyncFeedback

/// Counts, and cheers at multiples of three.
public struct Counter: SystemProtocol {
  public struct State: Sendable {
    public var count = 1
    public var message: String?
    public init() {}
  }

  public enum Event: Sendable {
    case incremented
    case decremented
    case countEntered(Int)
    case messageChanged(String?)
  }

  public init() {}

  public func reducer() -> Reducer {
    { state, event in
      switch event {
      case .incremented: state.count += 1
      case .decremented: state.count -= 1
      case .countEntered(let count): state.count = count
      case .messageChanged(let message): state.message = message
      }
    }
  }

  public func feedbacks() -> [Feedback<Self>] {
    Feedback(.onChanged(\.count)) { state in
      .messageChanged(state.count.isMultiple(of: 3) ? "multiple of 3!!" : nil)
    }
  }
}
