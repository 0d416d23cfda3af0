import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What no schedule changes.
@Suite(.unseeded) struct LegalOrderTests {
  @Test func runsBeginInTheOrderOfTheirDeclarationBeforeAllElse() async {
    await exploreSchedules(300) {
      let log = Log<Int>()
      let feedbacks = (1...4).map { number in
        Feedback<Sample>(.onChanged(\.n), name: "\(number)") { state async in
          log.append(number)
          return .done(number)
        }
      }
      let context = TestContext(state: .init(), system: Sample(feedbacks))
      await context.run().send(.go(1)).settle()
      #expect(log.entries == [1, 2, 3, 4, 1, 2, 3, 4])
      #expect(context.state.done == [1, 2, 3, 4, 1, 2, 3, 4])
      context.finish()
    }
  }

  @Test func bodiesWithATimeLimitBeginInThatOrderToo() async {
    await exploreSchedules(300) {
      let clock = TestClock()
      let feedbacks = (1...4).map { number in
        let feedback = Feedback<Sample>(.onChanged(\.n), name: "\(number)") { state async in
          .done(number)
        }
        return number.isMultiple(of: 2)
          ? feedback.timingOut(after: .seconds(1), clock: clock) : feedback
      }
      let context = TestContext(state: .init(), system: Sample(feedbacks))
      await context.run().send(.go(1)).settle()
      #expect(context.state.done == [1, 2, 3, 4, 1, 2, 3, 4])
      context.finish()
    }
  }

  @Test func whoGivesWayLetsEverybodyIn() async {
    await exploreSchedules(300) {
      let executor = DeterministicExecutor()
      let log = Log<String>()
      let turnstile = Turnstile(.serial(executor))
      Task(executorPreference: executor) {
        for _ in 0..<20 {
          await turnstile.pass()
          log.append("passed")
        }
      }
      for number in 0..<3 {
        Task(executorPreference: executor) { log.append("\(number)") }
      }
      executor.runUntilIdle()
      #expect(log.entries.count == 23)
      // Each pass lets each of them take a job, and none has more than two.
      #expect(Set(log.entries.prefix(6)) == ["0", "1", "2", "passed"])
    }
  }

  @Test func sleepersOfOneDeadlineWakeInAnyOrder() async {
    let orders = Log<[Int]>()
    await exploreSchedules(200) {
      let clock = TestClock()
      let executor = DeterministicExecutor()
      let log = Log<Int>()
      clock.attach(executor)
      for number in 1...2 {
        Task(executorPreference: executor) {
          try await clock.sleep(for: .seconds(1))
          log.append(number)
        }
      }
      clock.advance(by: .seconds(1))
      orders.append(log.entries)
    }
    #expect(Set(orders.entries) == [[1, 2], [2, 1]])
    #expect(orders.entries.first == [1, 2])
  }

  @Test func sleepersOfDifferentDeadlinesWakeInTheirOrder() async {
    await exploreSchedules(200) {
      let clock = TestClock()
      let executor = DeterministicExecutor()
      let log = Log<Int>()
      clock.attach(executor)
      for number in 1...3 {
        Task(executorPreference: executor) {
          try await clock.sleep(for: .seconds(number))
          log.append(number)
        }
      }
      clock.advance(by: .seconds(3))
      #expect(log.entries == [1, 2, 3])
    }
  }

  @Test func aBodyThatHopsToTheMainActorCanBeRepeated() async {
    let failures = Failures()
    let exploration = await exploreSchedules(200, reporter: failures.reporter()) {
      let feedbacks = (1...3).map { number in
        Feedback<Sample>(.while(\.flag), name: "\(number)") { _ async in
          await MainActor.run {}
          return .done(number)
        }
      }
      let context = TestContext(state: .init(), system: Sample(feedbacks))
      await context.run().send(.flag(true)).settle()
      context.finish()
      #expect(context.state.done != [3, 2, 1])
    }
    #expect(exploration.hasFailed)
    #expect(failures.messages.first?.contains("repeats it exactly") == true)
  }
}
