internal import AsyncFeedback

/// A sign that somebody waits for.
///
/// A wait ends with whatever comes first: the sign, the end of a limit, or the cancellation of the
/// waiting task. A sign given before the wait begins is not lost, and is used up by the wait that it
/// ends; several given before are one. A limit that is reached ends every later wait too. A signal
/// has one waiter at a time.
package final class Signal: Sendable {
  /// What ended a wait.
  package enum Outcome: Sendable {
    case given
    case limitReached
    case cancelled
  }

  private struct State: Sendable {
    var isGiven = false
    var isLimitReached = false
    var waiter: CheckedContinuation<Outcome, Never>?
  }

  private let state = Lock(State())

  package init() {}

  /// Gives the sign.
  package func give() {
    end(with: .given)
  }

  /// Suspends until the sign is given, the limit around it is reached, or the task is cancelled.
  package func wait() async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome: Outcome? = state.withLock { state in
          precondition(state.waiter == nil, "a signal must have one waiter (had another)")
          if state.isGiven {
            state.isGiven = false
            return .given
          }
          if state.isLimitReached { return .limitReached }
          // A cancellation before this found nobody waiting; one from now on finds the waiter.
          if Task.isCancelled { return .cancelled }
          state.waiter = continuation
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      end(with: .cancelled)
    }
  }

  /// Suspends until the sign is given, for at most the limit.
  package func wait(limit: Duration) async -> Outcome {
    await within(limit) { await wait() }
  }

  /// Ends the waits of the body once it has taken longer than the limit of real time.
  ///
  /// The limit turns a wait that would never end into a report. So it must not strike where work is
  /// only slow: it is passed in slices, each of which has to get its turn among all other tasks of
  /// the process. On a machine too busy for its tests it stretches as they do.
  package func within<Value, Failure: Error>(
    _ limit: Duration, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let slices = 20
    let timer = Task.detached {
      for _ in 0..<slices {
        // A cancelled timer is one whose body is over: it has nothing to say any more.
        guard (try? await ContinuousClock().sleep(for: limit / slices)) != nil else { return }
      }
      self.end(with: .limitReached)
    }
    defer { timer.cancel() }
    return try await body()
  }

  /// Ends the wait that is going on, or leaves a note that ends the next.
  private func end(with outcome: Outcome) {
    let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      if outcome == .limitReached { state.isLimitReached = true }
      if outcome == .given, state.waiter == nil { state.isGiven = true }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: outcome)
  }
}

/// The signals that wait for one and the same thing to happen.
///
/// It belongs behind its owner's lock.
struct SignalList: Sendable {
  private var signals: [ObjectIdentifier: Signal] = [:]

  mutating func insert(_ signal: Signal) {
    signals[ObjectIdentifier(signal)] = signal
  }

  mutating func remove(_ signal: Signal) {
    signals[ObjectIdentifier(signal)] = nil
  }

  /// Hands all signals over, to be given once the owner's lock is free.
  mutating func takeAll() -> [Signal] {
    guard !signals.isEmpty else { return [] }
    defer { signals.removeAll() }
    return Array(signals.values)
  }
}
