import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite(.unseeded) struct RunningTests {
  let executor = DeterministicExecutor()
  let log = Log<String>()

  @Test func nothingRunsUntilToldTo() async {
    let task = Task(executorPreference: executor) { [log] in log.append("ran") }
    #expect(executor.readyCount == 1)
    #expect(log.entries.isEmpty)
    #expect(executor.runUntilIdle() > 0)
    #expect(log.entries == ["ran"])
    #expect(executor.readyCount == 0)
    await task.value
  }

  @Test func jobsRunInTheOrderTheyCameWhateverTheirPriority() {
    let priorities: [TaskPriority] = [.background, .high, .low, .medium, .userInitiated]
    for (number, priority) in priorities.enumerated() {
      Task(executorPreference: executor, priority: priority) { [log] in log.append("\(number)") }
    }
    executor.runUntilIdle()
    #expect(log.entries == ["0", "1", "2", "3", "4"])
  }

  @Test func theCallersThreadRunsTheJobs() async {
    let task = Task(executorPreference: executor) { ThreadIdentity.current }
    let caller = drainAndTellThread()
    #expect(await task.value == caller)
  }

  @MainActor @Test func theMainActorRunsTheJobs() async {
    let task = Task.detached(executorPreference: executor) { ThreadIdentity.current }
    let caller = drainAndTellThread()
    #expect(await task.value == caller)
    MainActor.preconditionIsolated("running other jobs must leave the caller where it was")
  }

  private func drainAndTellThread() -> ThreadIdentity {
    executor.runUntilIdle()
    return .current
  }

  @Test func whatJobsMakeReadyRunsToo() {
    actor Counter {
      private var count = 0
      func increment() -> Int {
        count += 1
        return count
      }
    }
    @concurrent func elsewhere() async -> ThreadIdentity { .current }

    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    Task(executorPreference: executor) { [log] in
      for await element in stream { log.append("element \(element)") }
      log.append("stream ended")
    }
    Task(executorPreference: executor) { [log] in
      let start = ThreadIdentity.current
      // Nobody is waited for: that a yield comes back here is part of the claim.
      await Task.yield()
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<10 { group.addTask { _ = await counter.increment() } }
      }
      log.append("counted \(await counter.increment())")
      continuation.yield(1)
      continuation.finish()
      log.append("stayed: \(await elsewhere() == start)")
    }
    executor.runUntilIdle()
    #expect(
      log.entries.sorted() == ["counted 11", "element 1", "stayed: true", "stream ended"])
  }

  @Test func runOneRunsOne() {
    for number in 0..<3 {
      Task(executorPreference: executor) { [log] in log.append("\(number)") }
    }
    var states: [String] = []
    while executor.runOne() {
      states.append(log.entries.joined(separator: " "))
    }
    // A task takes more than one job, so the log does not grow with each.
    #expect(Set(states) == ["", "0", "0 1", "0 1 2"])
    #expect(executor.readyCount == 0)
    #expect(!executor.runOne())
  }

  @Test func aJobThatRunsTheExecutorIsHarmless() {
    Task(executorPreference: executor) { [executor, log] in
      log.append("first begins")
      log.append("all: \(executor.runUntilIdle()), one: \(executor.runOne())")
      log.append("first ends")
    }
    Task(executorPreference: executor) { [log] in log.append("second") }
    #expect(executor.runUntilIdle() > 0)
    #expect(log.entries == ["first begins", "all: 0, one: false", "first ends", "second"])
  }

  @Test func oneThreadAtATimeRunsIt() {
    Task(executorPreference: executor) { [executor, log] in
      onAnotherThread {
        log.append("all: \(executor.runUntilIdle()), one: \(executor.runOne())")
        log.append("current: \(executor.isCurrent)")
      }
    }
    Task(executorPreference: executor) { [log] in log.append("second") }
    executor.runUntilIdle()
    #expect(log.entries == ["all: 0, one: false", "current: false", "second"])
  }

  @Test func anExecutorRunByAJobOfAnotherRuns() {
    let inner = DeterministicExecutor()
    Task(executorPreference: inner) { [inner, executor, log] in
      log.append("inner: \(inner.isCurrent), outer: \(executor.isCurrent)")
    }
    Task(executorPreference: executor) { [inner, executor, log] in
      inner.runUntilIdle()
      log.append("inner: \(inner.isCurrent), outer: \(executor.isCurrent)")
    }
    executor.runUntilIdle()
    #expect(log.entries == ["inner: true, outer: true", "inner: false, outer: true"])
  }

  @Test func jobsFromManyThreadsAllRun() async {
    let count = 1_000
    let done = Log<Int>()
    for number in 0..<count {
      Task.detached { [executor] in
        Task(executorPreference: executor) { done.append(number) }
      }
    }
    while done.entries.count < count {
      guard await executor.waitForJob(limit: .seconds(60)) == .given else { break }
      executor.runUntilIdle()
    }
    #expect(done.entries.sorted() == Array(0..<count))
  }

  @Test func nothingKeepsAnExecutorThatIsIdle() {
    var executor: DeterministicExecutor? = DeterministicExecutor()
    let box = executor.map { WeakBox($0) }
    if let executor {
      TestClock().attach(executor)
      Task(executorPreference: executor) { [executor] in await executor.requeue() }
      executor.runUntilIdle()
    }
    executor = nil
    #expect(box?.object == nil)
  }
}
