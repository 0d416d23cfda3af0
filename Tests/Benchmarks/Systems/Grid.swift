import AsyncFeedback

/// An array in which each event changes one element, beside a count of the events.
struct Grid: TimedSystem {
  struct State: TimedState {
    var count = 0
    var cells: [Int]
    var stopwatch: Stopwatch
  }

  enum Event: TimedEvent {
    case cellChanged(Int)
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
    case .cellChanged(let index):
      state.cells[index] &+= 1
      state.count &+= 1
    case .started: state.stopwatch.begin()
    case .stopped: state.stopwatch.end()
    }
  }
}
