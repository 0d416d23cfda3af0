/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let task = Task {
///   try await clock.sleep(id: "blink", for: .seconds(1))
///   return clock.now.offset
/// }
/// try await clock.sleep(untilSuspendBy: "blink")
/// clock.advance(by: .seconds(3))
/// print(try await task.value)  // 3.0 seconds
/// ```
///
/// ``advance(by:)`` wakes what has become due, in the order of the deadlines. Work on a
/// ``DeterministicExecutor`` has run, and may have gone to sleep again, when it returns. Work of
/// other tasks (a plain `Task`, the main actor) is woken and runs at its own time, as the one above
/// does: there the test waits for the task, or for its next sleep.
///
/// A sleep ends in one of four ways: its deadline is reached; it is past from the beginning, and the
/// call returns at once; the task is cancelled, and it throws `CancellationError` at once; the clock
/// is released, and it throws ``TestClockError/released(until:)``. Sleeping does not keep the clock.
public final class TestClock: Clock {
  /// A point in the time of the clock: an offset from its zero.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The instant at which a clock starts if it is told nothing else.
    public static var zero: Instant { Instant() }

    /// How long after zero this is.
    public var offset: Duration

    /// Creates the instant that comes `offset` after zero.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant that comes `duration` after this one.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time from this instant to the other, negative if that one is earlier.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether the left instant is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }

    /// The offset, in seconds.
    public var description: String { offset.description }
  }

  let core: ClockCore

  /// Creates a clock that shows `initialInstant`.
  public init(initialInstant: Instant = .zero) {
    core = ClockCore(now: initialInstant)
  }

  deinit {
    core.release()
  }

  /// The time the clock shows.
  ///
  /// Within an advance it is the deadline of the sleeper being woken.
  public var now: Instant { core.now }

  /// Zero: a sleeper wakes exactly at its deadline.
  public var minimumResolution: Duration { .zero }

  /// Whether something sleeps under the id.
  public func isSleeping(id: some Hashable) -> Bool {
    core.isSleeping(id: SleepID(id))
  }

  /// Whether something sleeps until exactly this instant.
  public func isSleeping(until deadline: Instant) -> Bool {
    core.isSleeping(until: deadline)
  }

  /// When the next sleeper wakes, if there is one.
  package var nextDeadline: Instant? { core.nextDeadline }

  /// What is asleep, in the order it will wake.
  package var sleepers: [Sleeper] { core.sleepers }

  /// Makes an executor one that ``advance(by:)`` drives, for as long as both exist.
  ///
  /// A sleep does this for the executor of its test by itself.
  package func attach(_ executor: DeterministicExecutor) {
    guard core.attach(executor) else { return }
    executor.add(self)
  }

  /// Attaches the executor of the test that the calling task belongs to.
  private func attachCurrentExecutor() {
    if let executor = DeterministicExecutor.current { attach(executor) }
  }
}

// MARK: - Moving

extension TestClock {
  /// Moves the clock forward and wakes, one after the other, everything due by then.
  ///
  /// First the deterministic executors the clock knows run until nothing is ready, so that work on
  /// its way to a sleep is asleep. Then sleepers wake in the order of their deadlines, and of equal
  /// ones in the order they went to sleep: the clock shows the deadline, the sleeper goes on, the
  /// executors run until nothing is ready. (Where schedules are explored, those of equal deadlines may be
  /// woken together, and go on in any order.) What sleeps again meanwhile takes its place in that
  /// order, so a timer of one second ticks three times when three seconds pass. At last the clock
  /// shows the time advanced to.
  ///
  /// Work that has gone to the main actor, or anywhere else, is not waited for: the `advance(by:)` of a
  /// ``TestContext`` does that for the main actor. The executor of such a context is given up when its
  /// work does not come to rest within the context's limit, and the context's next step fails.
  ///
  /// The clock knows the executor of each test whose work has slept on it. Called by a job of such
  /// an executor, it wakes in order, and the woken go on after that job. Advances by several threads
  /// at once each count from the time the clock showed when they began.
  ///
  /// - Parameter duration: how far, zero or more. Zero only lets the executors run.
  public func advance(by duration: Duration) {
    precondition(
      duration >= .zero, "the duration to advance a clock by must not be negative (was \(duration))"
    )
    attachCurrentExecutor()
    core.advance(by: duration)
  }
}

// MARK: - Sleeping

// `consuming` lets a sleep give the clock up before it suspends: a clock that only its sleepers
// would keep alive is released, and tells them.
extension TestClock {
  /// Suspends until the clock shows `deadline` or a later time.
  ///
  /// - Parameter tolerance: has no effect: the sleeper wakes exactly at its deadline.
  public consuming func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    attachCurrentExecutor()
    let core = core
    _ = consume self
    try await core.sleep(id: nil, until: deadline)
  }

  /// Suspends until `duration` has passed on the clock.
  ///
  /// - Parameter tolerance: has no effect: the sleeper wakes exactly at its deadline.
  public consuming func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    let deadline = now.advanced(by: duration)
    try await sleep(until: deadline, tolerance: tolerance)
  }

  /// Suspends until `duration` has passed on the clock, under a name.
  ///
  /// - Parameters:
  ///   - id: what ``isSleeping(id:)`` and ``sleep(untilSuspendBy:limit:)`` know the sleep by. Several
  ///     sleeps may share it, and all of them wake.
  ///   - tolerance: has no effect: the sleeper wakes exactly at its deadline.
  public consuming func sleep(
    id: some Hashable, for duration: Duration, tolerance: Duration? = nil
  ) async throws {
    let deadline = now.advanced(by: duration)
    try await sleep(id: id, until: deadline, tolerance: tolerance)
  }

  /// Suspends until the clock shows `deadline` or a later time, under a name.
  ///
  /// - Parameters:
  ///   - id: what ``isSleeping(id:)`` and ``sleep(untilSuspendBy:limit:)`` know the sleep by. Several
  ///     sleeps may share it, and all of them wake.
  ///   - tolerance: has no effect: the sleeper wakes exactly at its deadline.
  public consuming func sleep(
    id: some Hashable, until deadline: Instant, tolerance: Duration? = nil
  ) async throws {
    attachCurrentExecutor()
    let core = core
    _ = consume self
    try await core.sleep(id: SleepID(id), until: deadline)
  }
}

// MARK: - Waiting for a sleeper

extension TestClock {
  /// Suspends until something sleeps under the id, and returns at once if something does.
  ///
  /// It is woken by the sleeper, not by looking again and again. While it waits, it runs the
  /// deterministic executors the clock knows. It throws `CancellationError` when cancelled.
  ///
  /// - Parameter limit: the real time after which it gives up with
  ///   ``TestClockError/notAsleep(id:asleep:)``, so that a test that waits in vain says so. Where the
  ///   process hardly gets to run, it takes longer.
  public func sleep(
    untilSuspendBy id: some Hashable, limit: Duration = .seconds(5)
  ) async throws {
    attachCurrentExecutor()
    let id = SleepID(id)
    guard try await core.wait(limit: limit, until: { $0.contains(id: id) }) else {
      throw TestClockError.notAsleep(
        id: String(describing: id.value), asleep: sleepers.map(\.description))
    }
  }

  /// Suspends until the sleepers are as wanted, looking whenever one is registered and whenever a
  /// deterministic executor of the clock has run.
  ///
  /// - Returns: whether they were within the real-time limit.
  package func wait(
    limit: Duration = .seconds(5), until isMet: ([Sleeper]) -> Bool
  ) async throws -> Bool {
    attachCurrentExecutor()
    return try await core.wait(limit: limit) { isMet($0.sleepers) }
  }
}
