import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct WaitingForSleepersTests {
  let clock = TestClock()
  let executor = DeterministicExecutor()

  private func start(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
    DeterministicExecutor.$current.withValue(executor) {
      Task(executorPreference: executor) { try await body() }
    }
  }

  @Test("F16: a wait for a sleeper runs the executors of the clock")
  func waitingRunsTheExecutorsOfTheClock() async throws {
    clock.attach(executor)
    let task = start { [clock] in try await clock.sleep(id: "A", for: .seconds(1)) }
    try await clock.sleep(untilSuspendBy: "A")
    #expect(clock.isSleeping(id: "A"))
    clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test func workThatComesBackFromOutsideIsRunWhileWaiting() async throws {
    clock.attach(executor)
    let task = start { [clock] in
      await Task.detached {}.value
      await onMain()
      try await clock.sleep(id: "A", for: .seconds(1))
    }
    try await clock.sleep(untilSuspendBy: "A", limit: .seconds(60))
    clock.advance(by: .seconds(1))
    try await task.value
  }

  @MainActor private func onMain() {}

  @Test func aSleeperThatIsThereIsNotWaitedFor() async throws {
    let task = start { [clock] in try await clock.sleep(id: "A", for: .seconds(1)) }
    executor.runUntilIdle()
    try await clock.sleep(untilSuspendBy: "A", limit: .zero)
    clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test func aCancelledWaitThrows() async {
    let waiter = Task { [clock] in
      try await clock.sleep(untilSuspendBy: "never", limit: .seconds(60))
    }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
  }

  @Test("F16: waiting in vain fails with a list of what is asleep")
  func waitingInVainFailsWithAListOfWhatIsAsleep() async throws {
    let task = start { [clock] in try await clock.sleep(id: "other", for: .seconds(2)) }
    executor.runUntilIdle()
    let error = await #expect(throws: TestClockError.self) {
      try await clock.sleep(untilSuspendBy: "wanted", limit: .milliseconds(1))
    }
    #expect(
      error?.description == """
        Nothing fell asleep under the id "wanted". Asleep on this clock: "other" until 2.0 seconds. \
        Check that the work under test was started, sleeps on this clock, and is not held up by a \
        sleep that has to be advanced first.
        """)
    clock.advance(by: .seconds(2))
    try await task.value
  }

  @Test func waitingInVainOnAnIdleClockSaysSo() async throws {
    let error = await #expect(throws: TestClockError.self) {
      try await clock.sleep(untilSuspendBy: "wanted", limit: .zero)
    }
    #expect(error?.description.contains("Asleep on this clock: nothing.") == true)
  }

  @Test func twoWaitersForOneSleeperBothReturn() async throws {
    let waiters = (0..<2).map { _ in
      Task { [clock] in try await clock.sleep(untilSuspendBy: "A", limit: .seconds(60)) }
    }
    let task = Task { [clock] in try await clock.sleep(id: "A", for: .seconds(1)) }
    for waiter in waiters { try await waiter.value }
    clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test func twoWaitersThatShareAnExecutorRest() async throws {
    clock.attach(executor)
    let waiters = ["A", "B"].map { id in
      Task.detached { [clock] in try await clock.sleep(untilSuspendBy: id, limit: .seconds(60)) }
    }
    for id in ["A", "B"] {
      _ = start { [clock] in
        await Task.detached {}.value
        try await clock.sleep(id: id, for: .seconds(1))
      }
    }
    for waiter in waiters { try await waiter.value }
    clock.advance(by: .seconds(1))
    #expect(clock.sleepers.isEmpty)
  }

  @Test func aWaitInsideTheExecutorLeavesItIdle() async throws {
    let waiter = start { [clock] in
      try await clock.sleep(untilSuspendBy: "A", limit: .seconds(60))
    }
    await executor.settle()
    #expect(executor.readyCount == 0)
    let sleeper = start { [clock] in try await clock.sleep(id: "A", for: .seconds(1)) }
    await executor.settle()
    try await waiter.value
    clock.advance(by: .seconds(1))
    try await sleeper.value
  }

  @Test func anySetOfSleepersCanBeWaitedFor() async throws {
    clock.attach(executor)
    let tasks = (1...3).map { seconds in
      start { [clock] in
        await Task.detached {}.value
        try await clock.sleep(for: .seconds(seconds))
      }
    }
    #expect(try await clock.wait(limit: .seconds(60)) { $0.count == 3 })
    #expect(try await !clock.wait(limit: .zero) { $0.count == 4 })
    clock.advance(by: .seconds(3))
    for task in tasks { try await task.value }
  }
}

/// Each suite has its own determinism: nothing global is switched.
@Suite struct IndependenceTests {
  @Test("F15: tests in parallel do not meet", arguments: 0..<20)
  func testsInParallelDoNotMeet(number: Int) async throws {
    let clock = TestClock()
    let executor = DeterministicExecutor()
    let log = Log<Int>()
    let task = DeterministicExecutor.$current.withValue(executor) {
      Task(executorPreference: executor) {
        for _ in 0..<100 {
          try await clock.sleep(for: .seconds(1))
          log.append(number)
          await executor.requeue()
        }
      }
    }
    executor.runUntilIdle()
    for tick in 1...100 {
      clock.advance(by: .seconds(1))
      #expect(log.entries.count == tick)
    }
    try await task.value
    #expect(Set(log.entries) == [number])
    #expect(executor.clocks.map { $0 === clock } == [true])
  }
}
