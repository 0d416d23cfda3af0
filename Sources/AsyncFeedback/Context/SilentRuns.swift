private import Synchronization

/// The runs for which nobody can send any more, as noted from whichever thread.
package final class SilentRuns: Sendable {
  private let runs = Lock<[RunID]>([])
  private let flag = Atomic<Bool>(false)

  package init() {}

  /// Whether there are any.
  ///
  /// May lag behind by the instant in which one is being added.
  package var isEmpty: Bool { !flag.load(ordering: .acquiring) }

  package func add(_ silent: [RunID]) {
    runs.withLock { runs in
      runs += silent
      flag.store(true, ordering: .releasing)
    }
  }

  package func take() -> [RunID] {
    runs.withLock { runs in
      flag.store(false, ordering: .releasing)
      defer { runs = [] }
      return runs
    }
  }
}
