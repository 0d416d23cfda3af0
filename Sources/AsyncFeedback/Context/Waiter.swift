/// One task that waits for a moment.
///
/// Resumed once, by that moment or by its cancellation.
package final class Waiter: Sendable {
  private struct State {
    var continuation: UnsafeContinuation<Void, Never>?
    var isResumed = false
  }

  private let state = Lock(State())

  package init() {}

  /// Suspends until `resume()`, or until the task is cancelled.
  package func wait(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      // The closure is isolated only by what it captures; without this it leaves the lane.
      _ = isolation
      await waitUncancelled()
    } onCancel: {
      resume()
    }
  }

  /// Suspends until `resume()`, also in a task that is cancelled.
  package nonisolated(nonsending) func waitUncancelled() async {
    await withUnsafeContinuation { continuation in
      let isResumed = state.withLock { state in
        if !state.isResumed { state.continuation = continuation }
        return state.isResumed
      }
      if isResumed { continuation.resume() }
    }
  }

  package func resume() {
    let continuation = state.withLock { state in
      state.isResumed = true
      return state.continuation.take()
    }
    continuation?.resume()
  }
}

/// A bell that one task listens to.
///
/// A ring that comes while it does not listen is kept.
package final class Bell: Sendable {
  private struct State {
    var continuation: UnsafeContinuation<Void, Never>?
    var hasRung = false
  }

  private let state = Lock(State())

  package init() {}

  package func ring() {
    let continuation = state.withLock { state in
      if state.continuation == nil { state.hasRung = true }
      return state.continuation.take()
    }
    continuation?.resume()
  }

  /// Suspends until the bell rings; several rings meanwhile are one.
  ///
  /// Cancellation does not wake it.
  package nonisolated(nonsending) func listen() async {
    await withUnsafeContinuation { continuation in
      let hasRung = state.withLock { state in
        if state.hasRung {
          state.hasRung = false
          return true
        }
        state.continuation = continuation
        return false
      }
      if hasRung { continuation.resume() }
    }
  }
}
