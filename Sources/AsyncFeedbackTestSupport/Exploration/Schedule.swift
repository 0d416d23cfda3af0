internal import AsyncFeedback

/// Decides, wherever several jobs are ready, which of them goes next, and remembers what it decided.
///
/// All executors made in one explored body share it. It decides only among what another timing of the
/// outside could have brought about, so the laws hold under every schedule:
///
/// - The jobs that begin runs are not among the choices. A live context begins runs in place at the end of
///   a turn, so they come first and in the order of the declaration (law 3). So does the first stretch of
///   what `timingOut` wraps.
/// - A job that gives the executor up to let the others in, between two turns or in a stream that never
///   suspends, comes after all that waits at that moment (law 4).
/// - The jobs of one task follow each other whatever is chosen.
/// - A sleeper of a ``TestClock`` becomes ready at its deadline and none before it. Of those that share a
///   deadline each may be woken before the one in front of it goes on: no real clock promises more.
/// - The test itself is not on the executor. A step ends when nothing is ready, in every order.
///
/// All else that is ready is a body that goes on after a wait, what a body has made (child tasks, actors),
/// the loop's own task after its bell, the timer of a pace, or somebody who waited for a receipt. Each
/// of them was made ready by something that could have come a moment earlier or later: an answer from
/// outside, another thread that was faster, a task of higher priority. Swift promises no order among jobs
/// of different tasks, and no law of the library needs one: events keep the order in which they were
/// sent, since they are queued by the send and not by a job; a lease is looked at when the turn of its
/// event comes; and a cancellation takes effect at the call.
package final class Schedule: Sendable {
  /// The schedule of the body that is being explored.
  @TaskLocal package static var exploring: Schedule?

  /// One decision: which of how many went.
  package struct Choice: Sendable, Equatable {
    package let count: Int
    package let taken: Int
  }

  private struct State: Sendable {
    var source: Source
    var choices: [Choice] = []
  }

  private enum Source: Sendable {
    case random(SplitMix64)
    case order(ScheduleOrder)
  }

  private let state: Lock<State>

  /// What a failure says about the schedule, where nobody else does.
  package let note: String?

  /// Whether a test under it prints no transcript: one of many schedules is enough.
  let isQuiet: Bool

  /// A schedule drawn at random; the one with seed 0 takes what waits longest, as without a schedule.
  package init(seed: UInt64, note: String? = nil, isQuiet: Bool = false) {
    self.note = note
    self.isQuiet = isQuiet
    state = Lock(State(source: seed == 0 ? .order([:]) : .random(SplitMix64(seed: seed))))
  }

  /// The schedule that decides as told.
  package init(order: ScheduleOrder, isQuiet: Bool = false) {
    note = nil
    self.isQuiet = isQuiet
    state = Lock(State(source: .order(order)))
  }

  /// The schedule for an executor that the caller makes: that of the body being explored, or one of its
  /// own by the seed in the environment.
  static var current: Schedule? {
    if let exploring { return exploring }
    let variable = SeedVariable.current
    guard let seed = variable.seed, seed > 0 else { return nil }
    return Schedule(seed: seed, note: variable.note)
  }

  /// Picks one of so many: 0 is the one that waits longest.
  package func choose(of count: Int) -> Int {
    guard count > 1 else { return 0 }
    return state.withLock { state in
      let taken: Int
      switch state.source {
      case .random(var generator):
        taken = Int.random(in: 0..<count, using: &generator)
        state.source = .random(generator)
      case .order(let order):
        taken = min(order[state.choices.count], count - 1)
      }
      state.choices.append(Choice(count: count, taken: taken))
      return taken
    }
  }

  /// What was decided so far.
  package var choices: [Choice] { state.withLock(\.choices) }
}
