package import AsyncFeedback

/// Writes down what happens in a test's context, for the failures.
///
/// The lines are made when somebody reads them, so a test that passes pays for none.
package final class Transcript: ContextMonitor {
  private struct State {
    var records: [@Sendable () -> [String]] = []
    /// The latest events, with their numbers.
    var events: [(number: Int, event: any Sendable)] = []
    var dropped = 0
    var jobs: [UInt64: JobIdentity] = [:]
    var faults: [String] = []
    var stop: (@Sendable () -> Void)?
    var next: (any ContextMonitor)?
  }

  /// How many records are kept; older ones are counted only.
  private static var limit: Int { 400 }

  /// Whether every test is to print its transcript when it finishes: where the environment has
  /// `ASYNC_FEEDBACK_TRANSCRIPT`.
  static let isWanted = Environment.value(of: "ASYNC_FEEDBACK_TRANSCRIPT") != nil

  private let state = Lock(State())

  package init() {}

  package func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
    append { PrintMonitor.lines(of: record) }
    state.withLock { $0.next }?.receive(record)
    switch record {
    case .event(let event?, let number, _):
      state.withLock { state in
        state.events.append((number, event))
        if state.events.count > 2 * Self.limit { state.events.removeFirst(Self.limit) }
      }
    case .runStarted(let run):
      let job = DeterministicExecutor.current?.currentJob
      state.withLock { $0.jobs[run.number] = job }
    case .runFinished(let run), .runEnded(let run):
      forget(run)
    case .runFailed(let run, let error):
      forget(run)
      fault(
        """
        \(run) failed with an error that becomes no event: \(error)
        Give the feedback a `catch` that makes an event of it.
        """)
    case .runaway(let report):
      fault("runaway loop: \(report)")
      // A step ends when nothing is ready, which would never be.
      state.withLock { $0.stop }?()
    default:
      break
    }
  }

  /// Writes down what a test did that is no event.
  package func note(_ line: String) {
    append { [line] }
  }

  private func append(_ lines: @escaping @Sendable () -> [String]) {
    state.withLock { state in
      state.records.append(lines)
      guard state.records.count > 2 * Self.limit else { return }
      state.dropped += state.records.count - Self.limit
      state.records.removeFirst(state.records.count - Self.limit)
    }
  }

  private func forget(_ run: RunInfo) {
    state.withLock { $0.jobs[run.number] = nil }
  }

  /// Notes a failure for the step that sees it.
  package func fault(_ text: String) {
    state.withLock { $0.faults.append(text) }
  }

  /// How many records there have been.
  package var count: Int { state.withLock { $0.dropped + $0.records.count } }

  /// The job as which the body of a run began, until it has ended.
  package func job(of run: RunInfo) -> JobIdentity? {
    state.withLock { $0.jobs[run.number] }
  }

  /// Has another monitor see the same.
  package func forward(to monitor: any ContextMonitor) {
    state.withLock { $0.next = monitor }
  }

  /// Has a runaway loop stopped.
  package func onRunaway(_ stop: @escaping @Sendable () -> Void) {
    state.withLock { $0.stop = stop }
  }

  /// Whether there are failures that no step has reported yet.
  package var hasFaults: Bool { state.withLock { !$0.faults.isEmpty } }

  /// Takes the failures that no step has reported yet.
  package func takeFaults() -> [String] {
    state.withLock { state in
      defer { state.faults.removeAll() }
      return state.faults
    }
  }

  /// The numbers of the events that the condition holds for, as far as they are kept.
  package func numbers<Event>(where isWanted: (Event) -> Bool) -> [Int] {
    state.withLock(\.events)
      .filter { ($0.event as? Event).map(isWanted) ?? false }.map(\.number)
  }

  /// The event with this number, if it is kept.
  package func event(_ number: Int) -> (any Sendable)? {
    state.withLock(\.events).last { $0.number == number }?.event
  }

  /// What has happened so far, a line each.
  package var lines: [String] {
    let (records, dropped) = state.withLock { ($0.records, $0.dropped) }
    let lines = records.flatMap { $0() }
    return dropped > 0 ? ["… \(dropped) earlier records"] + lines : lines
  }

  /// The end of what has happened, indented.
  package func text(last count: Int = .max) -> String {
    let lines = lines
    let hidden = max(0, lines.count - count)
    let shown = (hidden > 1 ? ["… \(hidden) earlier lines"] : []) + lines.suffix(count)
    return shown.map { "  \($0)" }.joined(separator: "\n")
  }
}
