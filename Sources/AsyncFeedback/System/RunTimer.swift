/// A clock whose type is forgotten: its instants are counted from the moment this was made.
@usableFromInline
package struct RunTimer: Sendable {
  /// The time that has passed since the timer was made.
  @usableFromInline package let elapsed: @Sendable () -> Duration
  /// Suspends until that much time has passed; throws when the task is cancelled.
  package let sleep: @Sendable (_ until: Duration) async throws -> Void

  @usableFromInline
  package init(_ clock: any Clock<Duration>) {
    self.init(opening: clock)
  }

  private init<Source: Clock>(opening clock: Source) where Source.Duration == Duration {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }
}

extension RunTimer {
  package func sleep(until deadline: Duration) async throws {
    try await sleep(deadline)
  }
}

extension Send {
  /// Waits inside the library: the run does not keep the context from being quiet meanwhile.
  ///
  /// What the run sends afterwards is caused by the wait and no longer by the event that started it.
  package nonisolated(nonsending) func parked<Success>(
    _ wait: nonisolated(nonsending) () async throws -> Success
  ) async rethrows -> Success {
    host.park(run, true)
    defer { host.park(run, false) }
    return try await wait()
  }
}
