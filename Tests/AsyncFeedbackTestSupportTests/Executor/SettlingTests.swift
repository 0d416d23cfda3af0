import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct SettlingTests {
  let executor = DeterministicExecutor()
  let log = Log<String>()

  private func hop(times: Int) {
    Task(executorPreference: executor) { [log] in
      for number in 0..<times {
        await onMain { log.append("main \(number)") }
        log.append("back \(number)")
      }
    }
  }

  @MainActor private func onMain(_ body: () -> Void) async {
    body()
  }

  private var tenHops: [String] { (0..<10).flatMap { ["main \($0)", "back \($0)"] } }

  @Test func hopsToTheMainActorAreOverInATestOfThePool() async {
    hop(times: 10)
    await executor.settle()
    #expect(log.entries == tenHops)
  }

  @MainActor @Test func hopsToTheMainActorAreOverInATestOfTheMainActor() async {
    hop(times: 10)
    await executor.settle()
    #expect(log.entries == tenHops)
  }

  @Test func workWithoutHopsIsOverWithoutAFence() async {
    Task(executorPreference: executor) { [executor, log] in
      await executor.requeue()
      log.append("done")
    }
    await executor.settle(fencingMainActor: false)
    #expect(log.entries == ["done"])
  }

  @MainActor @Test func withoutAFenceTheMainActorKeepsItsWork() async {
    hop(times: 1)
    await executor.settle(fencingMainActor: false)
    #expect(log.entries.isEmpty)
    await executor.settle()
    #expect(log.entries == ["main 0", "back 0"])
  }

  @Test func settlingFromAJobReturnsAtOnce() async {
    let task = Task(executorPreference: executor) { [executor, log] in
      Task(executorPreference: executor) { log.append("other") }
      await executor.settle()
      log.append("settled")
    }
    executor.runUntilIdle()
    await task.value
    #expect(log.entries == ["settled", "other"])
  }

  @Test func hundredsOfTimesTheSame() async {
    for _ in 0..<300 {
      let log = Log<Int>()
      Task(executorPreference: executor) {
        for number in 0..<3 { await onMain { log.append(number) } }
      }
      await executor.settle()
      #expect(log.entries == [0, 1, 2])
    }
  }
}

@Suite struct WaitingForJobsTests {
  let executor = DeterministicExecutor()

  @Test func aReadyJobIsNotWaitedFor() async {
    Task(executorPreference: executor) {}
    #expect(await executor.waitForJob() == .given)
    #expect(executor.readyCount == 1)
    executor.runUntilIdle()
  }

  @Test func aJobFromAPlainTaskEndsTheWait() async {
    let release = Signal()
    let task = Task(executorPreference: executor) {
      await Task.detached { _ = await release.wait() }.value
      return "back"
    }
    // If the plain task could end now, the run that begins the first one might take it back as well.
    executor.runUntilIdle()
    async let outcome = executor.waitForJob(limit: .seconds(60))
    release.give()
    #expect(await outcome == .given)
    executor.runUntilIdle()
    #expect(await task.value == "back")
  }

  @Test func theLimitEndsTheWait() async {
    #expect(await executor.waitForJob(limit: .milliseconds(1)) == .limitReached)
  }

  @Test func cancellationEndsTheWait() async {
    let waiter = Task { await executor.waitForJob(limit: .seconds(60)) }
    waiter.cancel()
    #expect(await waiter.value == .cancelled)
  }

  @Test func theEndOfARunIsNewsForWhoeverBeganToWaitDuringIt() async {
    let signal = Signal()
    Task(executorPreference: executor) { [executor] in executor.listen(signal) }
    executor.runUntilIdle()
    #expect(await signal.wait(limit: .zero) == .given)
  }

  @Test func aRunOfNothingIsNoNews() async {
    let signal = Signal()
    executor.listen(signal)
    executor.runUntilIdle()
    #expect(await signal.wait(limit: .zero) == .limitReached)
  }

  @Test func whoeverDoesNotListenAnyMoreHearsNothing() async {
    let signal = Signal()
    executor.listen(signal)
    executor.ignore(signal)
    Task(executorPreference: executor) {}
    executor.runUntilIdle()
    #expect(await signal.wait(limit: .zero) == .limitReached)
  }
}
