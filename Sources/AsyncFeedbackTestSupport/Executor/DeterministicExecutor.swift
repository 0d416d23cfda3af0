public import AsyncFeedback

/// An executor that runs nothing by itself: a test runs its jobs, one at a time, on its own thread.
///
/// Work that prefers this executor waits in a queue until somebody calls ``runUntilIdle()``.
/// Nothing runs behind the test's back, so the same test takes the same course every time.
///
/// ```swift
/// let executor = DeterministicExecutor()
/// Task(executorPreference: executor) { print("inside") }
/// print(executor.readyCount)  // 1
/// executor.runUntilIdle()     // inside
/// ```
///
/// Jobs are taken in the order they came, whatever their priority. They come from any thread, and
/// run on the thread that calls, in a test's own task, on the main actor and outside of any task
/// alike. One thread at a time runs the executor.
///
/// Tasks made with `Task(executorPreference:)`, what is structured below them, default actors they
/// call and actors with this executor stay on it. A plain `Task { }` does not: it runs at its own
/// time elsewhere.
///
/// A job that is still ready when the executor goes never runs, and neither does the task it
/// belongs to: run the executor until it is idle before letting it go.
public final class DeterministicExecutor: SerialExecutor, TaskExecutor {
  /// The executor of the test that the calling task belongs to.
  ///
  /// A clock finds through it the executor it has to drive.
  @TaskLocal package static var current: DeterministicExecutor?

  struct State: Sendable {
    var ready = ReadyQueue()
    /// The jobs that came while nobody ran the executor, or while it was run for others, with whoever
    /// made them ready.
    var arrivals: [(job: UnownedJob, caller: Caller)] = []
    /// Whether the next job that the runner enqueues is a beginning.
    var expectsBeginning = false
    var enqueued = 0
    var runner: ThreadIdentity?
    /// Whether the run that goes on takes what is made ready elsewhere.
    var isOpen = true
    var hasRunJobs = false
    var currentJob: JobIdentity?
    var ran = 0
    /// What `ran` was when the executor was settled last.
    var settledAt = 0
    var patience: Patience?
    /// Whether the work of a step did not come to rest, and has not since.
    var isRestless = false
    var suspects: Set<JobIdentity>?
    var order: (@Sendable (_ count: Int) -> Int)?
    var onEnqueueFromOutside: (@Sendable () -> Void)?
    var listeners = SignalList()
    var clocks: [WeakClock] = []

    var readyCount: Int { ready.count + arrivals.count }

    /// Makes the executor free and hands over the signals to give.
    ///
    /// A run of no jobs is no news. If it were, two waiting threads that both look after the
    /// executor when woken would wake each other for ever.
    mutating func giveUp() -> [Signal] {
      runner = nil
      expectsBeginning = false
      currentJob = nil
      return hasRunJobs ? listeners.takeAll() : []
    }
  }

  let state = Lock(State())

  /// What decides which of the ready jobs goes next; without it, the one that waits longest.
  package let schedule: Schedule?

  /// Creates an executor with nothing to do.
  ///
  /// Its jobs are taken in the order they came, except in the body of ``exploreSchedules(_:_:seed:_:)``
  /// and under `ASYNC_FEEDBACK_SEED`.
  public init() {
    schedule = .current
  }

  /// Takes a job into the queue.
  ///
  /// The concurrency runtime calls this, from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    enqueue(UnownedJob(job), givesWay: false)
  }

  private func enqueue(_ job: UnownedJob, givesWay: Bool) {
    let (hook, listeners): ((@Sendable () -> Void)?, [Signal]) = state.withLock { state in
      state.enqueued += 1
      if let runner = state.runner, state.isOpen || runner == .current {
        if runner != .current {
          state.ready.append(job)
        } else if state.expectsBeginning {
          state.expectsBeginning = false
          state.ready.appendBeginning(job)
        } else {
          state.ready.appendOwn(job, givesWay: givesWay)
        }
        return (nil, [])
      }
      state.arrivals.append((job, .current))
      return (state.onEnqueueFromOutside, state.listeners.takeAll())
    }
    hook?()
    for listener in listeners { listener.give() }
  }

  /// How many jobs are ready to run.
  public var readyCount: Int {
    state.withLock { $0.readyCount }
  }
}

// MARK: - Running

extension DeterministicExecutor {
  /// Runs the jobs that are ready, and those they make ready, one at a time, until none is left.
  ///
  /// It returns at once when called by one of its own jobs, and when another thread is running the
  /// executor: the jobs are in good hands then. It never blocks. A job that is always ready again, as
  /// that of a task that waits by yielding, keeps it going for ever; where a ``TestContext`` made the
  /// executor, until its limit, and then the next step of the context fails.
  ///
  /// - Returns: how many jobs this call ran.
  @discardableResult
  public func runUntilIdle() -> Int {
    runToTheEnd(for: nil)
  }

  /// Runs what the caller and the jobs themselves make ready, until none of that is left.
  ///
  /// What other tasks make ready, such as the main actor when a job comes back from it, stays where it
  /// is: whether it is there by now is a matter of chance, and what this does must not depend on it.
  @discardableResult
  package func runOwnUntilIdle() -> Int {
    runToTheEnd(for: .current)
  }

  private func runToTheEnd(for caller: Caller?) -> Int {
    var effort = makeEffort()
    return run(for: caller, within: &effort)
  }

  /// Runs until nothing is ready or the effort is spent.
  ///
  /// - Parameter caller: whose jobs are taken, or `nil` for those of everybody.
  /// - Returns: how many jobs were run; none if the effort is spent, as nothing more is to be expected.
  func run(for caller: Caller? = nil, within effort: inout Effort) -> Int {
    guard begin(for: caller) else { return 0 }
    var count = 0
    while let job = next() {
      effort.note(JobIdentity(job))
      run(job)
      count += 1
      if effort.isSpent {
        end()
        noteRestless(effort)
        return 0
      }
    }
    return count
  }

  /// Runs one ready job: a stretch of a task up to its next suspension or change of executor.
  ///
  /// A task takes several, also one that never suspends.
  ///
  /// - Returns: whether there was one. It is `false` as well when one of its own jobs asks, or when
  ///   another thread is running the executor.
  @discardableResult
  public func runOne() -> Bool {
    guard begin(), let job = next() else { return false }
    run(job)
    end()
    return true
  }

  /// Takes the executor for the calling thread.
  private func begin(for caller: Caller? = nil) -> Bool {
    state.withLock { state in
      guard state.runner == nil else { return false }
      state.runner = .current
      // When a job comes from elsewhere is a matter of chance. A schedule that is to be repeated takes it
      // in the next time, when the fence of a step has seen to it that all have come.
      state.isOpen = caller == nil && schedule == nil
      state.hasRunJobs = false
      guard !state.arrivals.isEmpty else { return true }
      for arrival in state.arrivals where caller == nil || arrival.caller == caller {
        state.ready.append(arrival.job)
      }
      state.arrivals.removeAll { caller == nil || $0.caller == caller }
      return true
    }
  }

  private func end() {
    let listeners = state.withLock { $0.giveUp() }
    for listener in listeners { listener.give() }
  }

  /// The job to run next, or `nil` after giving the executor up because there is none.
  ///
  /// Finding none and giving the executor up is one step: otherwise a job that comes in between
  /// would be taken for one that is seen to, and would stay where it is.
  private func next() -> UnownedJob? {
    let (count, order, listeners) = state.withLock { state in
      let count = state.ready.choices
      return (count, state.order, count == 0 ? state.giveUp() : [])
    }
    for listener in listeners { listener.give() }
    guard count > 0 else { return nil }
    // Only the runner takes jobs, so the index holds although the lock is free in between.
    let index = order?(count) ?? schedule?.choose(of: count) ?? 0
    precondition(
      (0..<count).contains(index),
      "the order of jobs must pick one of the \(count) that are ready (was \(index))")
    return state.withLock { state in
      let job = state.ready.take(at: index)
      state.hasRunJobs = true
      state.ran += 1
      state.currentJob = JobIdentity(job)
      return job
    }
  }

  private func run(_ job: UnownedJob) {
    job.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
  }
}

// MARK: - Hooks

extension DeterministicExecutor {
  /// Picks the next job in place of the schedule: gets how many there are to choose from and returns the
  /// place of one of them, 0 being the one that waits longest.
  package var order: (@Sendable (_ count: Int) -> Int)? {
    get { state.withLock { $0.order } }
    set { state.withLock { $0.order = newValue } }
  }

  /// Called for each job that comes while nobody is running the executor, on the thread it comes
  /// from, when the job is in the queue.
  package var onEnqueueFromOutside: (@Sendable () -> Void)? {
    get { state.withLock { $0.onEnqueueFromOutside } }
    set { state.withLock { $0.onEnqueueFromOutside = newValue } }
  }
}

// MARK: - Isolation

extension DeterministicExecutor: LaneExecutor {
  /// Bodies stay on it also where their code is isolated to nothing.
  package var isPreferred: Bool { true }

  package func noteBeginning() {
    state.withLock { $0.expectsBeginning = $0.runner == .current }
  }

  package func enqueueBehind(_ job: consuming ExecutorJob) {
    enqueue(UnownedJob(job), givesWay: true)
  }

  /// Whether the calling thread is running one of this executor's jobs right now.
  package var isCurrent: Bool {
    state.withLock { $0.runner == .current }
  }

  /// Ends the process unless the caller is a job of this executor.
  public func checkIsolated() {
    precondition(
      isCurrent,
      "the caller must be a job of the deterministic executor (was not: it runs on another executor)"
    )
  }

  /// Whether the caller is a job of this executor.
  public func isIsolatingCurrentContext() -> Bool? {
    isCurrent
  }
}
