import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// When the executor is given up, by a clock that moves as told between two looks at it.
@Suite struct PatienceTests {
  private let executor = DeterministicExecutor()
  private let looks = Log<Duration>()
  private let over = Log<Bool>()

  /// Gives the executor ten seconds without progress, and a task that yields until the end of the test.
  private func restless(
    timeBetweenLooks: Duration, progress: @escaping @Sendable () -> Int = { 0 }
  ) -> Task<Void, Never> {
    let start = ContinuousClock.now
    executor.patience = Patience(limit: .seconds(10), progress: progress) { [looks] in
      looks.append(timeBetweenLooks)
      return start + timeBetweenLooks * looks.entries.count
    }
    return Task(executorPreference: executor) { [over] in
      // The work under test, which is always ready; no test waits so.
      while over.entries.isEmpty { await Task.yield() }
    }
  }

  private func end(_ task: Task<Void, Never>) async {
    over.append(true)
    await executor.settle()
    await task.value
    #expect(!executor.isRestless)
  }

  @Test func workIsGivenUpWhenTheTimeIsOver() async {
    let task = restless(timeBetweenLooks: .milliseconds(500))
    executor.runUntilIdle()
    #expect(executor.isRestless)
    #expect(executor.takeSuspects()?.isEmpty == false)
    #expect(executor.takeSuspects() == nil)
    // The first look begins the time.
    #expect(looks.entries.count == 21)
    await end(task)
  }

  @Test func aPauseOfTheProcessSpendsHardlyAnything() async {
    let task = restless(timeBetweenLooks: .seconds(3_600))
    executor.runUntilIdle()
    #expect(looks.entries.count == 21)
    await end(task)
  }

  @Test func workThatGetsOnMayTakeTenTimesAsLong() async {
    let looks = looks
    let task = restless(timeBetweenLooks: .milliseconds(500)) { looks.entries.count }
    executor.runUntilIdle()
    #expect(executor.isRestless)
    #expect(looks.entries.count == 201)
    await end(task)
  }

  @Test func progressBeginsTheTimeAnew() async {
    let looks = looks
    let task = restless(timeBetweenLooks: .milliseconds(500)) { looks.entries.count / 15 }
    executor.runUntilIdle()
    #expect(looks.entries.count == 201)
    await end(task)
  }

  @Test func whatIsGivenUpRunsOnInSmallPieces() async {
    let task = restless(timeBetweenLooks: .milliseconds(500))
    executor.runUntilIdle()
    #expect(executor.runUntilIdle() == 0)
    await executor.settle()
    #expect(executor.isRestless)
    #expect(looks.entries.count == 21)
    await end(task)
  }

  @Test func aFewJobsNeverLookAtTheClock() async {
    let task = restless(timeBetweenLooks: .milliseconds(500))
    over.append(true)
    executor.runUntilIdle()
    #expect(looks.entries.isEmpty)
    await task.value
  }
}
