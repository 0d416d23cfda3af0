/// A monitor that prints what happens, and each transition as a difference.
public struct PrintMonitor: ContextMonitor {
  private let print: @Sendable (String) -> Void

  /// - Parameter print: takes each line; by default the standard output does.
  public init(print: @escaping @Sendable (String) -> Void = { Swift.print($0) }) {
    self.print = print
  }

  /// Prints the lines for one record.
  public func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
    for line in Self.lines(of: record) { print(line) }
  }

  /// The lines for one record.
  package static func lines<System: SystemProtocol>(of record: MonitorRecord<System>) -> [String] {
    switch record {
    case .loopStarted:
      ["loop started"]
    case .loopStopped(let unended):
      ["loop stopped"] + unended.map { "  still going: \($0)" }
    case .event(let event, let number, let cause):
      ["#\(number) \(event.map { describe($0) } ?? "write") from \(text(of: cause))"]
    case .transition(_, let old, let new):
      Difference(from: old, to: new).lines.map { "  \($0)" }
    case .runStarted(let run):
      ["  started \(run)"]
    case .answered(let run, let event):
      ["  answered \(describe(event)): \(run)"]
    case .runFinished(let run):
      ["  finished \(run)"]
    case .runCancelled(let run):
      ["  cancelled \(run)"]
    case .runEnded(let run):
      ["  ended after its cancellation: \(run)"]
    case .runFailed(let run, let error):
      ["  failed with \(describe(error)): \(run)"]
    case .answerDropped(let run, let event):
      ["  dropped \(describe(event)), its run has lost its lease: \(run)"]
    case .triggerDropped(let run):
      ["  dropped a trigger, no more may wait: \(run)"]
    case .triggerIgnored(let run):
      ["  ignored a trigger, a run is going: \(run)"]
    case .feed(let run, let report):
      ["  \(report): \(run)"]
    case .runaway(let report):
      ["  runaway: \(report)"]
    }
  }

  fileprivate func show(_ line: String) { print(line) }

  private static func text<System: SystemProtocol>(of cause: MonitorRecord<System>.Cause) -> String
  {
    switch cause {
    case .outside(let fileID, let line): "\(fileID):\(line)"
    case .binding: "a binding"
    case .feedback(let run): run.description
    }
  }
}

extension PrintMonitor: FeedMonitor {
  /// Prints a line for one report.
  public func receive(_ report: FeedReport) { show("\(report)") }

  /// Prints a line.
  public func begin(_ interval: FeedInterval) {
    show("interval \(interval.name) #\(interval.number) began")
  }

  /// Prints a line.
  public func end(_ interval: FeedInterval) {
    show("interval \(interval.name) #\(interval.number) ended")
  }
}
