import AsyncFeedback

/// A monitor that notes what it sees as short lines.
struct WordMonitor: ContextMonitor {
  let journal = Journal<String>()
  let runaways = Journal<RunawayReport>()
  let unended = Journal<[String]>()
  private let hook: @Sendable (String) -> Void

  /// - Parameter hook: called with each line, in the middle of the turn.
  init(hook: @escaping @Sendable (String) -> Void = { _ in }) {
    self.hook = hook
  }

  var lines: [String] { journal.entries }

  /// The lines that begin with a word.
  func lines(_ word: String) -> [String] {
    lines.filter { $0.hasPrefix(word + " ") }
  }

  func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
    if case .runaway(let report) = record { runaways.note(report) }
    if case .loopStopped(let runs) = record { unended.note(runs.map(title)) }
    let line = line(record)
    journal.note(line)
    hook(line)
  }

  private func line<System: SystemProtocol>(_ record: MonitorRecord<System>) -> String {
    switch record {
    case .loopStarted: "loopStarted"
    case .loopStopped: "loopStopped"
    case .event(let event, _, _): "event \(event.map { "\($0)" } ?? "write")"
    case .transition(_, _, let new): "state \(new)"
    case .runStarted(let run): "started \(title(run))"
    case .answered(let run, let event): "answered \(title(run)) \(event)"
    case .runFinished(let run): "finished \(title(run))"
    case .runCancelled(let run): "cancelled \(title(run))"
    case .runEnded(let run): "ended \(title(run))"
    case .runFailed(let run, let error): "failed \(title(run)) \(error)"
    case .answerDropped(let run, let event): "dropped \(title(run)) \(event)"
    case .triggerDropped(let run): "overflowed \(title(run))"
    case .triggerIgnored(let run): "ignored \(title(run))"
    case .feed(let run, let report): "feed \(title(run)) \(report)"
    case .runaway: "runaway"
    }
  }

  private func title(_ run: RunInfo) -> String {
    run.feedback.name + (run.key.map { "[\($0)]" } ?? "")
  }
}
