import Dispatch

/// A serial executor on the threads of the system's pool.
///
/// It drains its jobs in one stretch and asks the pool for a thread only when it has been idle, so jobs
/// that follow each other cost no thread hop.
package final class BackgroundExecutor: LaneExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isDraining = false
  }

  private let state = Lock(State())
  private let thread = CurrentThread()
  private let queue = DispatchQueue(label: "async-feedback.background")

  package init() {}

  package var isCurrent: Bool { thread.isCurrent }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let starts = state.withLock { state in
      state.jobs.append(job)
      defer { state.isDraining = true }
      return !state.isDraining
    }
    if starts { queue.async { self.drain() } }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  package func checkIsolated() {
    precondition(isCurrent, "the code must run on the context's background executor (did not)")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private func drain() {
    thread.enter()
    defer { thread.leave() }
    while true {
      let jobs = state.withLock { state in
        defer { state.jobs.removeAll() }
        state.isDraining = !state.jobs.isEmpty
        return state.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }
}
