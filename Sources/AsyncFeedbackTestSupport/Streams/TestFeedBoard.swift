internal import AsyncFeedback

/// Where those wait who want to know of the runs of one feed.
final class TestFeedBoard: Sendable {
  let reporter: FailureReporter
  let limit: Duration
  private let signals = Lock(SignalList())

  init(_ reporter: FailureReporter, limit: Duration) {
    self.reporter = reporter
    self.limit = limit
  }

  /// Tells that something has changed.
  func announce() {
    for signal in signals.withLock({ $0.takeAll() }) { signal.give() }
  }

  /// Waits until something holds.
  ///
  /// - Parameter complaint: what is wrong if it does not within the limit.
  /// - Returns: whether it holds.
  func wait(
    until isMet: @Sendable () -> Bool, else complaint: () -> String, at place: SourcePlace
  ) async -> Bool {
    let signal = Signal()
    defer { signals.withLock { $0.remove(signal) } }
    let outcome = await signal.within(limit) {
      while true {
        signals.withLock { $0.insert(signal) }
        // What changes from now on gives the signal.
        if isMet() { return Signal.Outcome.given }
        let outcome = await signal.wait()
        if outcome != .given { return outcome }
      }
    }
    if outcome == .limitReached, !isMet() { reporter.record(complaint(), at: place) }
    return isMet()
  }
}
