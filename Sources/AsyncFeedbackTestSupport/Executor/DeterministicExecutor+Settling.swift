internal import AsyncFeedback

extension DeterministicExecutor {
  /// Runs the executor until nothing is ready and the main actor holds nothing of its work.
  ///
  /// Jobs may hop to the main actor and back. So after each drain a fence is sent to the main
  /// executor, behind everything that waits there, and once it is through the executor is drained
  /// again. A round in which nothing was enqueued is the last.
  ///
  /// Work that waits anywhere else (a plain task, a callback, a real clock) is not waited for:
  /// ``waitForJob(limit:)`` is there for that. Called by a job of this executor it returns at once, and
  /// with work that does not come to rest it returns when the patience is spent.
  package func settle(fencingMainActor: Bool = true) async {
    guard !isCurrent else { return }
    var effort = makeEffort()
    var enqueued: Int
    repeat {
      enqueued = drain(within: &effort)
      guard fencingMainActor else { return }
      await MainActorFence.pass()
      effort.note()
    } while enqueued != state.withLock { $0.enqueued } && !effort.isSpent
    if effort.isSpent {
      noteRestless(effort)
    } else {
      state.withLock { state in
        state.settledAt = state.ran
        state.isRestless = false
      }
    }
  }

  /// Runs until a moment when nothing is ready, and tells how many jobs had come by then.
  private func drain(within effort: inout Effort) -> Int {
    while true {
      let ran = run(within: &effort)
      let (ready, arrived, enqueued) = state.withLock {
        ($0.readyCount, $0.arrivals.count, $0.enqueued)
      }
      // What has arrived meanwhile waits for the fence, so that the round has its jobs by no chance.
      if schedule != nil { return enqueued - arrived }
      // With jobs ready of which none could be run, another thread is at them.
      if ready == 0 || ran == 0 { return enqueued }
    }
  }

  /// Suspends until a job comes from outside, for at most `limit` of real time.
  ///
  /// It returns at once while a job is ready, and also when another thread has run the executor
  /// meanwhile: things may have changed. Nothing is run here. The limit is a safety net: it turns a
  /// wait that would never end into ``Signal/Outcome/limitReached``.
  @discardableResult
  package func waitForJob(limit: Duration = .seconds(5)) async -> Signal.Outcome {
    let signal = Signal()
    listen(signal)
    defer { ignore(signal) }
    return await signal.wait(limit: limit)
  }

  /// Has a signal given when there is something to run, or somebody else has run it.
  package func listen(_ signal: Signal) {
    let isReady = state.withLock { state in
      guard state.readyCount == 0 || state.runner != nil else { return true }
      state.listeners.insert(signal)
      return false
    }
    if isReady { signal.give() }
  }

  /// Ends what `listen(_:)` began.
  package func ignore(_ signal: Signal) {
    state.withLock { $0.listeners.remove(signal) }
  }
}
