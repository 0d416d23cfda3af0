internal import AsyncFeedback

extension DeterministicExecutor {
  /// How long the executor is run for work that does not come to rest; without it, for ever.
  ///
  /// Once it is spent, each call that runs the executor runs at most a thousand jobs more, until a
  /// `settle()` finds that the work has come to rest.
  package var patience: Patience? {
    get { state.withLock { $0.patience } }
    set { state.withLock { $0.patience = newValue } }
  }

  /// Whether the patience was spent, and the work has not come to rest since.
  package var isRestless: Bool {
    state.withLock { $0.isRestless }
  }

  /// Whose jobs kept the executor from its rest; `nil` if nothing did since this was asked last.
  package func takeSuspects() -> Set<JobIdentity>? {
    state.withLock { $0.suspects.take() }
  }

  /// Whether nothing was run and nothing has become ready since the executor was settled.
  ///
  /// Where something was, a job may have gone to the main actor.
  package var isSettled: Bool {
    state.withLock { $0.readyCount == 0 && $0.ran == $0.settledAt }
  }

  /// Whose job is being run.
  package var currentJob: JobIdentity? {
    state.withLock { $0.currentJob }
  }

  func makeEffort() -> Effort {
    state.withLock { Effort(patience: $0.patience, isRestless: $0.isRestless) }
  }

  func noteRestless(_ effort: Effort) {
    state.withLock { state in
      guard !state.isRestless else { return }
      state.isRestless = true
      state.suspects = effort.suspects
    }
  }
}
