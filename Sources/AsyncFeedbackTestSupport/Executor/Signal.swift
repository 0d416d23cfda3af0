internal import AsyncFeedback

/// A sign that is given once and awaited once.
///
/// The wait ends with whatever comes first: the sign, the end of the real-time limit, or the
/// cancellation of the waiting task. A sign given before the wait begins is not lost.
package final class Signal: Sendable {
  /// What ended the wait.
  package enum Outcome: Sendable {
    case given
    case limitReached
    case cancelled
  }

  private enum State {
    case untouched
    case awaited(CheckedContinuation<Outcome, Never>)
    case decided(Outcome)
  }

  private let state = Lock(State.untouched)

  package init() {}

  /// Gives the sign. Only the first one counts.
  package func give() {
    decide(.given)
  }

  /// Suspends until the sign is given, for at most `limit` of real time.
  ///
  /// The limit is there so that a sign that never comes ends in a report and not in a hang. A limit
  /// of `nil` waits for ever. A signal has one waiter.
  package func wait(limit: Duration?) async -> Outcome {
    let timer = limit.map { limit in
      Task.detached {
        // A cancelled timer is one whose wait is over: it has nothing to say any more.
        guard (try? await ContinuousClock().sleep(for: limit)) != nil else { return }
        self.decide(.limitReached)
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome: Outcome? = state.withLock { state in
          switch state {
          case .decided(let outcome): return outcome
          case .untouched:
            state = .awaited(continuation)
            return nil
          case .awaited: preconditionFailure("a signal must have one waiter (was awaited twice)")
          }
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      decide(.cancelled)
    }
  }

  private func decide(_ outcome: Outcome) {
    let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      switch state {
      case .decided: return nil
      case .untouched:
        state = .decided(outcome)
        return nil
      case .awaited(let continuation):
        state = .decided(outcome)
        return continuation
      }
    }
    continuation?.resume(returning: outcome)
  }
}

/// The signals that wait for one and the same thing to happen. It belongs behind its owner's lock.
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
