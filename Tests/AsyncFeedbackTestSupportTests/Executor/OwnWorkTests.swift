import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Running what the caller itself has made ready.
@Suite(.unseeded) struct OwnWorkTests {
  private let executor = DeterministicExecutor()
  private let log = Log<String>()

  private func start(_ name: String) {
    Task(executorPreference: executor) { [executor, log] in
      await executor.requeue()
      log.append(name)
    }
  }

  @Test func theCallersWorkRunsAndWhatItMakesReady() {
    start("own")
    executor.runOwnUntilIdle()
    #expect(log.entries == ["own"])
    #expect(executor.readyCount == 0)
  }

  @Test func theWorkOfAnotherTaskWaitsInItsPlace() async {
    await Task.detached { start("other") }.value
    start("own")
    executor.runOwnUntilIdle()
    #expect(log.entries == ["own"])
    #expect(executor.readyCount == 1)
    #expect(!executor.isSettled)
    await executor.settle()
    #expect(log.entries == ["own", "other"])
    #expect(executor.isSettled)
  }

  @Test func workThatWaitedIsRunInTheOrderInWhichItCame() async {
    await Task.detached { start("1") }.value
    start("2")
    await Task.detached { start("3") }.value
    executor.runUntilIdle()
    #expect(log.entries == ["1", "2", "3"])
  }

  @Test func whatComesDuringARunOfOwnWorkIsNewsAndWaits() async {
    let signal = Signal()
    Task(executorPreference: executor) { [executor, log] in
      executor.listen(signal)
      onAnotherThread {
        Task(executorPreference: executor) { log.append("other") }
      }
      log.append("own")
    }
    executor.runOwnUntilIdle()
    #expect(log.entries == ["own"])
    #expect(await signal.wait(limit: .zero) == .given)
    executor.runUntilIdle()
    #expect(log.entries == ["own", "other"])
  }
}
