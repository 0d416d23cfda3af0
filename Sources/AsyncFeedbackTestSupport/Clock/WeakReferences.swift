internal import AsyncFeedback

// A clock and an executor know each other, and neither keeps the other.

struct WeakExecutor: Sendable {
  weak var executor: DeterministicExecutor?
}

struct WeakClock: Sendable {
  weak var clock: TestClock?
}

extension DeterministicExecutor {
  /// The clocks that drive this executor, in the order they came to know it.
  package var clocks: [TestClock] {
    state.withLock { $0.clocks.compactMap(\.clock) }
  }

  func add(_ clock: TestClock) {
    state.withLock { state in
      state.clocks.removeAll { $0.clock == nil }
      state.clocks.append(WeakClock(clock: clock))
    }
  }
}
