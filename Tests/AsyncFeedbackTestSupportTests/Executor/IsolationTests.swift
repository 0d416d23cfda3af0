import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct IsolationTests {
  actor Resident {
    nonisolated let executor: DeterministicExecutor
    var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    init(executor: DeterministicExecutor) {
      self.executor = executor
    }

    func increment() {
      count += 1
    }

    nonisolated func incrementAtOnce() {
      assumeIsolated { $0.count += 1 }
    }
  }

  let executor = DeterministicExecutor()

  @Test func aJobIsCurrentAndItsCallerIsNot() async {
    #expect(!executor.isCurrent)
    #expect(executor.isIsolatingCurrentContext() == false)
    let task = Task(executorPreference: executor) { [executor] in
      executor.checkIsolated()
      return executor.isCurrent && executor.isIsolatingCurrentContext() == true
    }
    executor.runUntilIdle()
    #expect(await task.value)
    #expect(!executor.isCurrent)
  }

  @Test func anActorOnTheExecutorCanBeAssumedInAJob() async {
    let resident = Resident(executor: executor)
    let task = Task(executorPreference: executor) {
      resident.incrementAtOnce()
      await resident.increment()
      return await resident.count
    }
    executor.runUntilIdle()
    #expect(await task.value == 2)
  }

  @Test func callingAnActorOnTheExecutorWaitsForIt() async {
    let resident = Resident(executor: executor)
    let call = Task { await resident.increment() }
    #expect(await executor.waitForJob(limit: .seconds(60)) == .given)
    executor.runUntilIdle()
    await call.value
    let check = Task(executorPreference: executor) { await resident.count }
    executor.runUntilIdle()
    #expect(await check.value == 1)
  }

  @Test func checkingIsolationElsewhereEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      DeterministicExecutor().checkIsolated()
    }
  }
}
