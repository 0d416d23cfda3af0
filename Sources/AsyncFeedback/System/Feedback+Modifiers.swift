extension Feedback {
  /// Waits for a pause: the newest trigger goes on when none has come for the duration.
  ///
  /// On a stream it is the events made of the elements that wait; the last one is not lost when the
  /// sequence ends or throws. The policy begins with the triggers that went on. What waits keeps the
  /// context from being quiet, and a level that is left takes it back.
  public func debounced(
    for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    paced(Pace(.debounce, duration: duration, clock: clock))
  }

  /// Lets the first trigger through at once and then at most one per window, the newest.
  ///
  /// A trigger that waited for the end of its window opens the next one. On a stream it is the events
  /// made of the elements that are thinned out; the last one is not lost when the sequence ends or
  /// throws.
  public func throttled(
    for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    paced(Pace(.throttle, duration: duration, clock: clock))
  }

  private func paced(_ pace: Pace) -> Self {
    precondition(
      self.pace == nil, "\(declaration) must have one pace (had another before this one)")
    var paced = self
    paced.pace = pace
    return paced
  }

  /// Runs a body that threw again, after a wait, up to `limit` runs in all.
  ///
  /// The error of the last one takes the `catch` route. A cancelled body is not run again. While it
  /// waits, the context may be quiet (law 20).
  ///
  /// - Parameter limit: how often the body runs at the most; at least 1.
  public func retrying(
    limit: Int, backoff: Backoff, clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    precondition(limit > 0, "limit must be positive (was \(limit))")
    let timer = RunTimer(clock)
    return modified { work in
      Work { lane, send in
        var attempt = 1
        while true {
          do {
            return try await work.run(lane, send)
          } catch {
            guard attempt < limit, !Task.isCancelled else { throw error }
            let next = timer.elapsed() + backoff.delay(attempt)
            try await send.parked { try await timer.sleep(until: next) }
            attempt += 1
          }
        }
      }
    }
  }

  /// Cancels a body that takes longer than the duration; it then fails with `TimeoutError`.
  ///
  /// The error takes the `catch` route when the body has ended, so a body that ignores its cancellation
  /// delays it.
  public func timingOut(
    after duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    precondition(duration > .zero, "duration must be positive (was \(duration))")
    let timer = RunTimer(clock)
    return modified { work in
      Work { lane, send in
        try await run(work, send, within: duration, timer, on: lane)
      }
    }
  }

  private func modified(
    _ modifier: @escaping @Sendable (Work<System.Event>) -> Work<System.Event>
  ) -> Self {
    var modified = self
    modified.modifiers.append(modifier)
    return modified
  }
}

/// Runs work in a task of its own, which is cancelled after the duration.
///
/// Its body begins in place where the system can do so, and one that never suspends is waited for by
/// nothing: such bodies keep their order (law 3).
private func run<Event>(
  _ work: Work<Event>, _ send: Send<Event>, within duration: Duration, _ timer: RunTimer,
  on lane: isolated Lane
) async throws -> Event? {
  let deadline = timer.elapsed() + duration
  // Reached on the lane only.
  nonisolated(unsafe) var outcome: Result<Event?, any Error>?
  let body: Task<Void, Never>
  if lane.preference == nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    body = Task.immediate { outcome = await result(of: work, send, on: lane) }
  } else {
    lane.noteBeginning()
    body = Task(executorPreference: lane.preference) {
      outcome = await result(of: work, send, on: lane)
    }
    // The body gets as far as it would in place, and no other begins in between.
    lane.noteBeginning()
    await send.host.giveWay()
  }
  if let outcome { return try outcome.get() }
  let hasExpired = Lock(false)
  let limit = Task(executorPreference: lane.preference) {
    try await timer.sleep(until: deadline)
    hasExpired.withLock { $0 = true }
    body.cancel()
  }
  await withTaskCancellationHandler {
    await body.value
  } onCancel: {
    body.cancel()
  }
  limit.cancel()
  if hasExpired.withLock({ $0 }) { throw TimeoutError(duration: duration) }
  return try outcome?.get()
}

private func result<Event>(
  of work: Work<Event>, _ send: Send<Event>, on lane: isolated Lane
) async -> Result<Event?, any Error> {
  do {
    return .success(try await work.run(lane, send))
  } catch {
    return .failure(error)
  }
}

/// The error of a body that took longer than `timingOut(after:clock:)` allows.
public struct TimeoutError: Error, Hashable, CustomStringConvertible {
  /// How long the body was given.
  public let duration: Duration

  /// Makes the error, for a test of a route.
  public init(duration: Duration) {
    self.duration = duration
  }

  /// A sentence for a report.
  public var description: String { "the body did not end within \(duration)" }
}
