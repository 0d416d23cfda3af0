import AsyncFeedback

/// A state of a few numbers and an event that changes one: what is left is the library's own cost.
struct Tally: TimedSystem {
  struct State: TimedState {
    var count = 0
    var stopwatch: Stopwatch
  }

  enum Event: TimedEvent {
    case incremented
    case added(Int)
    case started
    case stopped
  }

  let reactions: [Feedback<Self>]

  func reducer() -> Reducer { Self.reduce }

  func feedbacks() -> [Feedback<Self>] { reactions }

  /// The one reducer of the floor and of the rows.
  @inline(never)
  static func reduce(_ state: inout State, _ event: Event) {
    switch event {
    case .incremented: state.count &+= 1
    case .added(let amount): state.count &+= amount
    case .started: state.stopwatch.begin()
    case .stopped: state.stopwatch.end()
    }
  }

  /// Watches the count and answers nothing.
  static var watchingCount: Feedback<Self> {
    Feedback(.onChanged(\.count)) { _ in nil }
  }
}
