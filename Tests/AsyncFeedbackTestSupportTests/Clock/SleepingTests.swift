import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite(.unseeded) struct SleepingTests {
  let clock = TestClock()
  let executor = DeterministicExecutor()
  let log = Log<String>()

  private func start<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> {
    DeterministicExecutor.$current.withValue(executor) {
      Task(executorPreference: executor) { try await body() }
    }
  }

  @Test func sleepersUnderOneIdAllWake() async throws {
    for number in 0..<2 {
      _ = start { [clock, log] in
        try await clock.sleep(id: "same", for: .seconds(1 + number))
        log.append("\(number)")
      }
    }
    executor.runUntilIdle()
    clock.advance(by: .seconds(1))
    #expect(log.entries == ["0"])
    #expect(clock.isSleeping(id: "same"))
    clock.advance(by: .seconds(1))
    #expect(log.entries == ["0", "1"])
    #expect(!clock.isSleeping(id: "same"))
  }

  @Test func idsOfDifferentTypesAreDifferent() async throws {
    enum ID: Hashable { case one }
    let task = start { [clock] in try await clock.sleep(id: ID.one, for: .seconds(1)) }
    executor.runUntilIdle()
    #expect(clock.isSleeping(id: ID.one))
    #expect(!clock.isSleeping(id: "one"))
    #expect(!clock.isSleeping(id: 1))
    clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test func cancellingOneSleeperLeavesTheOthers() async throws {
    let tasks = (0..<3).map { number in
      start { [clock, log] in
        try await clock.sleep(id: "same", for: .seconds(1))
        log.append("\(number)")
      }
    }
    executor.runUntilIdle()
    tasks[1].cancel()
    #expect(clock.sleepers.count == 2)
    clock.advance(by: .seconds(1))
    #expect(log.entries == ["0", "2"])
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
  }

  @Test func aPastDeadlineReturnsWithoutASuspension() async throws {
    clock.advance(by: .seconds(1))
    let task = start { [clock, executor, log] in
      Task(executorPreference: executor) { log.append("other") }
      try await clock.sleep(until: .init(offset: .seconds(1)))
      try await clock.sleep(for: .seconds(-1))
      try await clock.sleep(id: "id", for: .zero)
      log.append("first")
    }
    executor.runUntilIdle()
    try await task.value
    #expect(log.entries == ["first", "other"])
  }

  @Test func aPastDeadlineOfACancelledTaskThrows() async {
    let task = start { [clock] in try await clock.sleep(for: .zero) }
    task.cancel()
    executor.runUntilIdle()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func plainTasksOfThePoolWake() async throws {
    let task = Task.detached { [clock] in
      try await clock.sleep(id: "pool", for: .seconds(1))
      return clock.now
    }
    try await clock.sleep(untilSuspendBy: "pool", limit: .seconds(60))
    clock.advance(by: .seconds(5))
    // It runs beside the advance, so it sees its deadline or any time after it.
    #expect(try await task.value >= .init(offset: .seconds(1)))
    #expect(clock.now == .init(offset: .seconds(5)))
  }

  @Test func whatIsAsleepIsListedInTheOrderItWakes() async {
    let sleeps: [(String?, Int)] = [("late", 3), (nil, 1), ("early", 1)]
    for (id, seconds) in sleeps {
      _ = start { [clock] in
        if let id {
          try await clock.sleep(id: id, for: .seconds(seconds))
        } else {
          try await clock.sleep(for: .seconds(seconds))
        }
      }
    }
    executor.runUntilIdle()
    #expect(
      clock.sleepers.map(\.description) == [
        "a sleeper without id until 1.0 seconds", "\"early\" until 1.0 seconds",
        "\"late\" until 3.0 seconds",
      ])
    #expect(clock.sleepers.map(\.number) == [2, 3, 1])
    clock.advance(by: .seconds(3))
    #expect(clock.sleepers.isEmpty)
  }
}

@Suite struct ReleasingAClockTests {
  let executor = DeterministicExecutor()

  @Test func aReleasedClockMakesItsSleepersThrow() async throws {
    var clock: TestClock? = TestClock()
    let box = try WeakBox(#require(clock))
    let task = Task(executorPreference: executor) {
      try await box.object?.sleep(id: "A", for: .seconds(3))
    }
    executor.runUntilIdle()
    #expect(clock?.isSleeping(id: "A") == true)

    clock = nil
    executor.runUntilIdle()
    #expect(box.object == nil, "the sleeper must not keep the clock")
    let error = await #expect(throws: TestClockError.self) { try await task.value }
    #expect(
      error?.description == """
        The test clock was released while something slept on it until 3.0 seconds, so no advance \
        can wake it any more. Keep the clock until the end of the test, in a property or a variable \
        that the test still uses.
        """)
  }

  @Test func aClockHeldByNobodyButItsSleepThrows() async {
    let task = Task(executorPreference: executor) {
      try await TestClock().sleep(for: .seconds(1))
    }
    executor.runUntilIdle()
    await #expect(throws: TestClockError.self) { try await task.value }
  }

  @Test func aClockAndItsExecutorDoNotKeepEachOther() {
    var clock: TestClock? = TestClock()
    let box = clock.map { WeakBox($0) }
    clock?.attach(executor)
    #expect(executor.clocks.count == 1)
    #expect(executor.clocks.first === clock)
    clock = nil
    #expect(box?.object == nil)
    #expect(executor.clocks.isEmpty)
  }

  @Test func anExecutorKnowsItsClocks() async throws {
    let first = TestClock()
    let second = TestClock()
    let task = DeterministicExecutor.$current.withValue(executor) {
      Task(executorPreference: executor) {
        try await first.sleep(for: .seconds(1))
        try await second.sleep(for: .seconds(1))
        try await first.sleep(for: .seconds(1))
      }
    }
    executor.runUntilIdle()
    first.advance(by: .seconds(1))
    second.advance(by: .seconds(1))
    first.advance(by: .seconds(1))
    try await task.value
    #expect(executor.clocks.map { $0 === first } == [true, false])
    #expect(executor.clocks.last === second)
  }

  @Test func aSleeperThatComesAsTheClockMovesIsWoken() async throws {
    // The clock moves on one thread while the sleeper registers on another: in each of many attempts one
    // comes first, and now and then both are within a few instructions.
    for _ in 0..<20_000 {
      let clock = TestClock()
      let sleeper = Task.detached { try await clock.sleep(until: .init(offset: .seconds(1))) }
      clock.advance(by: .seconds(1))
      try await sleeper.value
    }
  }
}
