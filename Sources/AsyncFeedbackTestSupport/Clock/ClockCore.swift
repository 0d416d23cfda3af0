internal import AsyncFeedback

/// What a clock and its sleepers share: sleepers hold this and not the clock.
final class ClockCore: Sendable {
  typealias Instant = TestClock.Instant
  typealias Sleepers = SleeperQueue<CheckedContinuation<Void, any Error>>

  private struct State: Sendable {
    var now: Instant
    var sleepers = Sleepers()
    var registered = 0
    var isReleased = false
    var listeners = SignalList()
    var executors: [WeakExecutor] = []
  }

  private let state: Lock<State>

  init(now: Instant) {
    state = Lock(State(now: now))
  }

  var now: Instant { state.withLock { $0.now } }
  var nextDeadline: Instant? { state.withLock { $0.sleepers.nextDeadline() } }
  var sleepers: [Sleeper] { state.withLock { $0.sleepers.sleepers } }

  func isSleeping(id: SleepID) -> Bool {
    state.withLock { $0.sleepers.contains(id: id) }
  }

  func isSleeping(until deadline: Instant) -> Bool {
    state.withLock { $0.sleepers.contains(deadline: deadline) }
  }

  /// Ends every sleep with an error: the clock is gone.
  func release() {
    let (entries, listeners) = state.withLock { state in
      state.isReleased = true
      return (state.sleepers.removeAll(), state.listeners.takeAll())
    }
    for entry in entries {
      entry.payload.resume(throwing: TestClockError.released(until: entry.sleeper.deadline))
    }
    for listener in listeners { listener.give() }
  }
}

// MARK: - Executors

extension ClockCore {
  /// - Returns: whether the executor was not known before.
  func attach(_ executor: DeterministicExecutor) -> Bool {
    state.withLock { state in
      guard !state.executors.contains(where: { $0.executor === executor }) else { return false }
      state.executors.removeAll { $0.executor == nil }
      state.executors.append(WeakExecutor(executor: executor))
      return true
    }
  }

  private var executors: [DeterministicExecutor] {
    state.withLock { $0.executors.compactMap(\.executor) }
  }

  /// Runs the executors until none of them has anything ready: one may give work to another.
  private func drain() {
    var ran: Int
    repeat {
      ran = 0
      for executor in executors { ran += executor.runUntilIdle() }
    } while ran > 0
  }
}

// MARK: - Moving

extension ClockCore {
  func advance(by duration: Duration) {
    let target = now.advanced(by: duration)
    drain()
    while let sleeper = nextDue(by: target) {
      sleeper.resume()
      wakeOthersDueNow()
      drain()
    }
    drain()
  }

  /// Wakes those that sleep until the same deadline, as far as a schedule says so.
  ///
  /// Without one, each goes on before the next is woken.
  private func wakeOthersDueNow() {
    guard let schedule = executors.lazy.compactMap(\.schedule).first else { return }
    while state.withLock({ $0.sleepers.hasOne(dueBy: $0.now) }), schedule.choose(of: 2) == 1,
      let sleeper = nextDue(by: now)
    {
      sleeper.resume()
    }
  }

  /// Takes the next sleeper due by then and shows its deadline; where there is none, shows that time.
  ///
  /// Both in one step: one that registered between them would sleep on beyond its deadline.
  private func nextDue(by target: Instant) -> CheckedContinuation<Void, any Error>? {
    state.withLock { state in
      guard let entry = state.sleepers.removeFirst(dueBy: target) else {
        state.now = max(state.now, target)
        return nil
      }
      state.now = max(state.now, entry.sleeper.deadline)
      return entry.payload
    }
  }
}

// MARK: - Sleeping

extension ClockCore {
  private enum Registration {
    case asleep([Signal])
    case due
    case released
  }

  func sleep(id: SleepID?, until deadline: Instant) async throws {
    guard deadline > now else { return try Task.checkCancellation() }
    let number = state.withLock { state in
      state.registered += 1
      return state.registered
    }
    let job = DeterministicExecutor.current?.currentJob
    try await suspend(Sleeper(number: number, deadline: deadline, id: id, job: job))
    // Woken and cancelled before its turn came is cancelled: the work must not go on.
    try Task.checkCancellation()
  }

  // A closure is isolated as its surroundings are only if it captures the isolation, which then has to be
  // a parameter. Otherwise the sleeper would leave its executor (the main actor's, say) to register itself
  // on another thread, and would be asleep at some later time than the one it gave the executor up.
  private func suspend(
    _ sleeper: Sleeper, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await withTaskCancellationHandler {
      _ = isolation
      try await withCheckedThrowingContinuation { register(sleeper, $0) }
    } onCancel: {
      cancel(number: sleeper.number)
    }
  }

  private func register(
    _ sleeper: Sleeper, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let registration: Registration = state.withLock { state in
      guard !state.isReleased else { return .released }
      guard sleeper.deadline > state.now else { return .due }
      state.sleepers.insert(sleeper, payload: continuation)
      return .asleep(state.listeners.takeAll())
    }
    switch registration {
    case .asleep(let listeners):
      // A cancellation before the registration found nobody to wake.
      if Task.isCancelled { cancel(number: sleeper.number) }
      for listener in listeners { listener.give() }
    case .due:
      continuation.resume()
    case .released:
      continuation.resume(throwing: TestClockError.released(until: sleeper.deadline))
    }
  }

  private func cancel(number: Int) {
    let entry = state.withLock { $0.sleepers.remove(number: number) }
    entry?.payload.resume(throwing: CancellationError())
  }
}

// MARK: - Waiting for a sleeper

extension ClockCore {
  /// Suspends until the sleepers are as wanted.
  ///
  /// - Returns: whether they were within the limit.
  func wait(limit: Duration, until isMet: (Sleepers) -> Bool) async throws -> Bool {
    let signal = Signal()
    return try await signal.within(limit) {
      while true {
        // Listening comes before looking: what happens in between is not lost.
        state.withLock { $0.listeners.insert(signal) }
        defer { state.withLock { $0.listeners.remove(signal) } }
        drain()
        // An executor whose job waits here is run by others; its news would be that job itself.
        let executors = executors.filter { !$0.isCurrent }
        for executor in executors { executor.listen(signal) }
        defer { for executor in executors { executor.ignore(signal) } }
        if state.withLock({ isMet($0.sleepers) }) { return true }
        switch await signal.wait() {
        case .given: continue
        case .limitReached: return state.withLock { isMet($0.sleepers) }
        case .cancelled: throw CancellationError()
        }
      }
    }
  }
}
