import Dispatch

/// Lets a task give the executor of a context up and come back at the end of its queue.
///
/// `Task.yield()` goes through the global pool instead: two thread hops for each turn. The actor's
/// executor is one that hands each job to the context's executor, so a hop to the actor is a place at
/// the end of that queue, and the way back is none at all.
package actor Turnstile {
  private nonisolated let gate: Gate
  private var passes: UInt64 = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: gate)
  }

  package init(_ executor: ContextExecutor) {
    gate = Gate(executor)
  }

  package func pass() {
    // Something of the actor's own has to be touched: the optimiser leaves a hop out for nothing.
    passes &+= 1
  }
}

private final class Gate: SerialExecutor {
  private let kind: ContextExecutor.Kind

  init(_ executor: ContextExecutor) {
    kind = executor.kind
  }

  func enqueue(_ job: consuming ExecutorJob) {
    switch kind {
    case .main:
      let job = UnownedJob(job)
      DispatchQueue.main.async { job.runSynchronously(on: MainActor.sharedUnownedExecutor) }
    case .lane(let executor): executor.enqueueBehind(job)
    case .serial(let executor): executor.enqueue(job)
    }
  }
}
