import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Work on a deterministic executor has run when an advance returns.
@Suite(.unseeded) struct AdvancingTests {
  let clock = TestClock()
  let executor = DeterministicExecutor()
  let log = Log<String>()

  /// Starts work as a test context does.
  @discardableResult
  private func start(
    _ body: @escaping @Sendable () async throws -> Void
  ) -> Task<Void, any Error> {
    DeterministicExecutor.$current.withValue(executor) {
      Task(executorPreference: executor) { try await body() }
    }
  }

  @discardableResult
  private func startTimer(_ name: String, every period: Duration) -> Task<Void, any Error> {
    start { [clock, log] in
      while true {
        try await clock.sleep(for: period)
        log.append("\(name) at \(clock.now.offset.components.seconds)")
      }
    }
  }

  private func seconds(_ seconds: Int) -> TestClock.Instant {
    .init(offset: .seconds(seconds))
  }

  @Test("F2: work on its way to a sleep sleeps before time moves")
  func workOnItsWayToASleepSleepsBeforeTimeMoves() {
    clock.attach(executor)
    start { [clock, executor, log] in
      await executor.requeue()
      try await clock.sleep(for: .seconds(1))
      log.append("woken")
      await executor.requeue()
      log.append("done")
    }
    clock.advance(by: .seconds(1))
    #expect(log.entries == ["woken", "done"])
  }

  @Test func theExecutorOfTheTestIsKnownToTheClock() {
    startTimer("timer", every: .seconds(1))
    DeterministicExecutor.$current.withValue(executor) { clock.advance(by: .seconds(1)) }
    #expect(log.entries == ["timer at 1"])
    clock.advance(by: .seconds(1))
    #expect(log.entries == ["timer at 1", "timer at 2"])
  }

  @Test("F4: repeated timers tick in the order of their deadlines")
  func repeatedTimersTickInTheOrderOfTheirDeadlines() {
    startTimer("two", every: .seconds(2))
    startTimer("one", every: .seconds(1))
    executor.runUntilIdle()
    clock.advance(by: .seconds(4))
    #expect(
      log.entries == [
        "one at 1", "two at 2", "one at 2", "one at 3", "two at 4", "one at 4",
      ])
    #expect(clock.now == seconds(4))
  }

  @Test("F4: one deadline wakes in the order of registration")
  func oneDeadlineWakesInTheOrderOfRegistration() {
    for number in 0..<20 {
      start { [clock, log] in
        try await clock.sleep(until: .init(offset: .seconds(1)))
        log.append("\(number)")
      }
    }
    executor.runUntilIdle()
    clock.advance(by: .seconds(1))
    #expect(log.entries == (0..<20).map { "\($0)" })
  }

  @Test func aWokenSleeperGoesOnBeforeTheNextIsWoken() {
    for name in ["a", "b"] {
      start { [clock, executor, log] in
        try await clock.sleep(for: .seconds(1))
        log.append("\(name) wakes")
        await executor.requeue()
        log.append("\(name) ends")
      }
    }
    executor.runUntilIdle()
    clock.advance(by: .seconds(1))
    #expect(log.entries == ["a wakes", "a ends", "b wakes", "b ends"])
  }

  @Test func whatIsNotDueStaysAsleep() {
    startTimer("timer", every: .seconds(2))
    executor.runUntilIdle()
    clock.advance(by: .milliseconds(1_999))
    #expect(log.entries.isEmpty)
    #expect(clock.isSleeping(until: seconds(2)))
    clock.advance(by: .milliseconds(1))
    #expect(log.entries == ["timer at 2"])
    #expect(!clock.isSleeping(until: seconds(2)))
    #expect(clock.isSleeping(until: seconds(4)))
  }

  @Test func advancingByZeroLetsTheExecutorsRun() {
    clock.attach(executor)
    startTimer("timer", every: .seconds(1))
    clock.advance(by: .zero)
    #expect(clock.now == .zero)
    #expect(clock.isSleeping(until: seconds(1)))
  }

  @Test func timeThatPassedBeforeTheStartCounts() {
    let clock = TestClock(initialInstant: seconds(10))
    clock.advance(by: .seconds(5))
    #expect(clock.now == seconds(15))
  }

  @Test func timeDoesNotRunBackwards() async {
    await #expect(processExitsWith: .failure) {
      TestClock().advance(by: .seconds(-1))
    }
  }

  @Test func workOnTwoExecutorsInterleavesByDeadline() {
    let other = DeterministicExecutor()
    startTimer("here", every: .seconds(2))
    DeterministicExecutor.$current.withValue(other) {
      _ = Task(executorPreference: other) { [clock, log] in
        while true {
          try await clock.sleep(for: .seconds(3))
          log.append("there at \(clock.now.offset.components.seconds)")
        }
      }
    }
    executor.runUntilIdle()
    other.runUntilIdle()
    clock.advance(by: .seconds(6))
    // At 6 the timer there went to sleep first, at 3.
    #expect(log.entries == ["here at 2", "there at 3", "here at 4", "there at 6", "here at 6"])
  }

  @Test func aJobThatAdvancesWakesOthersAfterItself() {
    startTimer("timer", every: .seconds(1))
    executor.runUntilIdle()
    start { [clock, log] in
      clock.advance(by: .seconds(2))
      log.append("advanced to \(clock.now.offset.components.seconds)")
    }
    executor.runUntilIdle()
    #expect(log.entries == ["advanced to 2", "timer at 2"])
  }

  private func nap(on clock: some Clock<Duration>) async throws {
    try await clock.sleep(for: .seconds(1))
  }

  private func rest(on clock: any Clock<Duration>) async throws {
    try await clock.sleep(for: .seconds(1))
  }

  @Test func theGenericClockStaysOnTheExecutor() {
    start { [clock, log] in
      try await nap(on: clock)
      try await rest(on: clock)
      log.append("rested")
    }
    executor.runUntilIdle()
    clock.advance(by: .seconds(2))
    #expect(log.entries == ["rested"])
  }

  @Test("F5: a hundred thousand sleepers wake in one advance")
  func aHundredThousandSleepersWakeInOneAdvance() {
    let count = 100_000
    let woken = Log<Int>()
    for number in 0..<count {
      // Registered in an order that is not that of the deadlines.
      let deadline = (number &* 7_919) % count
      start { [clock] in
        try await clock.sleep(until: .init(offset: .milliseconds(deadline + 1)))
        woken.append(deadline)
      }
    }
    executor.runUntilIdle()
    #expect(clock.sleepers.count == count)
    clock.advance(by: .milliseconds(count))
    #expect(woken.entries == Array(0..<count))
  }

  @Test("F1: a thousand times the same")
  func aThousandTimesTheSame() {
    for _ in 0..<1_000 {
      let test = AdvancingTests()
      let timers = [
        test.startTimer("two", every: .seconds(2)), test.startTimer("one", every: .seconds(1)),
      ]
      test.executor.runUntilIdle()
      test.clock.advance(by: .seconds(2))
      #expect(test.log.entries == ["one at 1", "two at 2", "one at 2"])
      // Left asleep they would stay for as long as the process.
      for timer in timers { timer.cancel() }
      test.executor.runUntilIdle()
    }
  }
}
