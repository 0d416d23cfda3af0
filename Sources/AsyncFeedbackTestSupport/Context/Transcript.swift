package import AsyncFeedback

/// Writes down what happens in a test's context, for the failures.
///
/// The lines are made when somebody reads them, so a test that passes pays for none.
package final class Transcript: ContextMonitor {
  private struct State {
    var records: [@Sendable () -> [String]] = []
    var dropped = 0
    var jobs: [UInt64: JobIdentity] = [:]
    var faults: [String] = []
    var stop: (@Sendable () -> Void)?
  }

  /// How many records are kept; older ones are counted only.
  private static var limit: Int { 400 }

  private let state = Lock(State())

  package init() {}

  package func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
    state.withLock { state in
      state.records.append { PrintMonitor.lines(of: record) }
      guard state.records.count > 2 * Self.limit else { return }
      state.dropped += state.records.count - Self.limit
      state.records.removeFirst(state.records.count - Self.limit)
    }
    switch record {
    case .runStarted(let run):
      let job = DeterministicExecutor.current?.currentJob
      state.withLock { $0.jobs[run.number] = job }
    case .runFinished(let run), .runEnded(let run):
      forget(run)
    case .runFailed(let run, let error):
      forget(run)
      note(
        """
        \(run) failed with an error that becomes no event: \(error)
        Give the feedback a `catch` that makes an event of it.
        """)
    case .runaway(let report):
      note("runaway loop: \(report)")
      // A step ends when nothing is ready, which would never be.
      state.withLock { $0.stop }?()
    default:
      break
    }
  }

  private func forget(_ run: RunInfo) {
    state.withLock { $0.jobs[run.number] = nil }
  }

  private func note(_ fault: String) {
    state.withLock { $0.faults.append(fault) }
  }

  /// How many records there have been.
  package var count: Int { state.withLock { $0.dropped + $0.records.count } }

  /// The job as which the body of a run began, until it has ended.
  package func job(of run: RunInfo) -> JobIdentity? {
    state.withLock { $0.jobs[run.number] }
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

  /// What has happened so far.
  package var lines: [String] {
    let (records, dropped) = state.withLock { ($0.records, $0.dropped) }
    let lines = records.flatMap { $0() }
    return dropped > 0 ? ["… \(dropped) earlier records"] + lines : lines
  }
}
