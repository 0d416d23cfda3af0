import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// The seed of the environment, here without one.
@Suite struct SeedVariableTests {
  private let failures = Failures()

  private func order() -> [Int] {
    let executor = DeterministicExecutor()
    let log = Log<Int>()
    for number in 0..<6 {
      Task(executorPreference: executor) { log.append(number) }
    }
    executor.runUntilIdle()
    return log.entries
  }

  private func withSeed<Result>(_ value: String?, _ body: () -> Result) -> Result {
    SeedVariable.$current.withValue(SeedVariable(value: value), operation: body)
  }

  @Test func withoutItJobsGoInTheOrderTheyCame() {
    #expect(withSeed(nil, order) == [0, 1, 2, 3, 4, 5])
    #expect(withSeed("0", order) == [0, 1, 2, 3, 4, 5])
  }

  @Test func everyExecutorHasTheScheduleOfTheSeed() async {
    let orders = withSeed("5") { [order(), order()] }
    #expect(orders[0] == orders[1])
    #expect(orders[0] != [0, 1, 2, 3, 4, 5])
    await exploreSchedules(1, seed: 5) { #expect(order() == orders[0]) }
    #expect(withSeed("6", order) != orders[0])
  }

  @Test func anExplorationWithoutASeedBeginsWithIt() async {
    let orders = Log<[Int]>()
    await SeedVariable.$current.withValue(SeedVariable(value: "5")) {
      await exploreSchedules(1) { orders.append(order()) }
      await exploreSchedules(1, seed: 6) { orders.append(order()) }
    }
    #expect(orders.entries == [withSeed("5", order), withSeed("6", order)])
  }

  @Test func eachFailureOfAContextNamesIt() {
    withSeed("5") {
      let context = failures.context(
        .init(),
        Sample(
          Feedback(.once, name: "wait", fileID: "App/App.swift", line: 3) { _ async in
            for await _ in AsyncStream<Int>.makeStream().stream {}
            return nil
          }))
      context.run().finish()
    }
    #expect(
      failures.messages == [
        """
        the test finished while a run was going:
          wait (App/App.swift:3), started with the loop
        Let it end: answer what it waits for, advance its clock, or have the state end it.
        A run may be on the main actor, for which this step cannot wait: `await` one that does, such as \
        `settle()`, before `finish()`.
        state: State(n: 0, flag: false, done: [], flags: [])
        alive:
          wait (App/App.swift:3), started with the loop
        transcript:
          loop started
            started wait (App/App.swift:3)
        What was ready went in an order drawn by ASYNC_FEEDBACK_SEED=5: the same test with the same value \
        takes the same course.
        """
      ])
  }

  @Test(arguments: ["", "abc", "-1", "1.5", "18446744073709551616"])
  func aValueThatIsNoSeedIsOneFailure(value: String) async {
    let other = Failures()
    await SeedVariable.$current.withValue(SeedVariable(value: value)) {
      #expect(order() == [0, 1, 2, 3, 4, 5])
      _ = failures.context(.init(), Sample())
      _ = failures.context(.init(), Sample())
      await exploreSchedules(2, reporter: failures.reporter()) {}
    }
    await SeedVariable.$current.withValue(SeedVariable(value: "abc")) {
      let path = await shortestPath(
        of: { _ in Sample() }, hasOwnClock: false, from: .init(), events: [.go(1)], advancingBy: [],
        limit: 10, reporter: other.reporter()
      ) { $0.n == 1 }
      #expect(path == [.send(.go(1))])
    }
    #expect(other.messages.count == 1)
    #expect(other.messages.first?.hasPrefix("ASYNC_FEEDBACK_SEED must be a whole number") == true)
    #expect(
      failures.messages == [
        """
        ASYNC_FEEDBACK_SEED must be a whole number from 0 to 18446744073709551615 (was "\(value)"), so all \
        tests of this process run what is ready in the order it came. Set it to the seed that a failure \
        names, or unset it.
        """
      ])
  }
}
