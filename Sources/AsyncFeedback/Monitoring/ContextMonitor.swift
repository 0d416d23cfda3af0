/// Sees everything that happens in a context, in order (law 18).
///
/// It is called on the context's executor in the middle of a turn, so it should be quick. An event that
/// it sends is queued. With a monitor a context keeps the state before each transition until the monitor
/// has seen it, which makes the first change of a big collection a copy; without one nothing is kept.
///
/// ```swift
/// struct CountingMonitor: ContextMonitor {
///   func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
///     if case .runFailed(let run, let error) = record { print(run, error) }
///   }
/// }
/// ```
public protocol ContextMonitor: Sendable {
  /// Takes one record.
  func receive<System: SystemProtocol>(_ record: MonitorRecord<System>)
}
