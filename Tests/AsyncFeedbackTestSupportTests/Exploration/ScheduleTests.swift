import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite(.unseeded) struct ScheduleTests {
  private let failures = Failures()

  /// Runs jobs that are ready at once, and tells in which order they went.
  private func order(of count: Int) -> [Int] {
    let executor = DeterministicExecutor()
    let log = Log<Int>()
    for number in 0..<count {
      Task(executorPreference: executor) { log.append(number) }
    }
    executor.runUntilIdle()
    return log.entries
  }

  /// Takes `count` jobs that are ready at once, in the order of the schedule.
  private func take(_ count: Int) -> [Int] {
    var ready = Array(0..<count)
    return (0..<count).map { _ in
      ready.remove(at: Schedule.exploring?.choose(of: ready.count) ?? 0)
    }
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120), (6, 720)])
  func allOrdersOfReadyJobsAreGoneThroughOnce(count: Int, orders: Int) async {
    let log = Log<[Int]>()
    let exploration = await exploreSchedules(1_000, .exhaustive) { log.append(take(count)) }
    #expect(exploration.isComplete)
    #expect(exploration.count == orders)
    #expect(log.entries.count == orders)
    #expect(Set(log.entries).count == orders)
    #expect(log.entries.first == Array(0..<count))
  }

  @Test func theOrdersOfTasksAreAmongThem() async {
    let log = Log<[Int]>()
    let exploration = await exploreSchedules(1_000, .exhaustive) { log.append(order(of: 3)) }
    #expect(exploration.isComplete)
    #expect(Set(log.entries).count == 6)
    #expect(log.entries.first == [0, 1, 2])
  }

  @Test func aBoundThatIsTooLowForAllOrdersIsSaid() async {
    let exploration = await exploreSchedules(23, .exhaustive) { _ = take(4) }
    #expect(exploration.count == 23)
    #expect(!exploration.isComplete)
  }

  @Test func withoutAChoiceThereIsOneSchedule() async {
    let exploration = await exploreSchedules(1_000) { _ = order(of: 1) }
    #expect(exploration.count == 1)
    #expect(exploration.isComplete)
  }

  @Test func theFirstScheduleIsTheOrderInWhichTheJobsCame() async {
    await exploreSchedules(1, seed: 0) { #expect(order(of: 5) == [0, 1, 2, 3, 4]) }
  }

  @Test func theSameSeedGivesTheSameOrder() async {
    let log = Log<[Int]>()
    for seed in UInt64(0)..<50 {
      await exploreSchedules(1, seed: seed) { log.append(order(of: 6)) }
    }
    await exploreSchedules(50) { log.append(order(of: 6)) }
    #expect(log.entries[..<50] == log.entries[50...])
    #expect(Set(log.entries).count > 40)
  }

  @Test func theShortestFailingOrderIsFound() async {
    await exploreSchedules(1_000, seed: 7, reporter: failures.reporter()) {
      #expect(take(6).firstIndex(of: 3) != 0, sourceLocation: Self.place)
    }
    #expect(
      failures.messages.first?.contains("\nexploreSchedules(order: [0: 3]) repeats") == true)
  }

  private static let place = SourceLocation(
    fileID: "App/AppTests.swift", filePath: "AppTests.swift", line: 12, column: 5)

  @Test func aFailureInEveryOrderIsSaidToBeOne() async {
    await exploreSchedules(10, seed: 3, reporter: failures.reporter()) {
      #expect(take(2).isEmpty, "all of them", sourceLocation: Self.place)
    }
    #expect(
      failures.messages == [
        """
        schedule 1 of 10 failed, that of seed 3.
        exploreSchedules(1, seed: 3) repeats it exactly.
        It fails, too, when all that is ready goes in the order it came:
        App/AppTests.swift:12:5: Expectation failed: (take(2) → [0, 1]).isEmpty → false (error): all of them
        """
      ])
  }

  @Test func anErrorThatTheBodyThrowsIsAFailure() async {
    let reporter = FailureReporter(fileID: "App/AppTests.swift", line: 3, column: 1) {
      [failures] message, _ in failures.log.append((message, 0))
    }
    await exploreSchedules(10, .exhaustive, reporter: reporter) {
      if take(2) == [1, 0] { throw CancellationError() }
    }
    #expect(
      failures.messages == [
        """
        schedule 2 of 10 failed.
        exploreSchedules(order: [0: 1]) repeats the shortest failing order found: at these choices the \
        job at that place goes, and else the one at place 0, which waits longest.
        App/AppTests.swift:3:1: the body threw an error: CancellationError()
        """
      ])
  }

  @Test func aRequirementThatFailsIsOneFailure() async {
    await exploreSchedules(1, reporter: failures.reporter()) {
      try #require(take(2) == [1, 0], sourceLocation: Self.place)
    }
    #expect(failures.messages.count == 1)
    #expect(failures.messages.first?.contains("more after it") == false)
  }

  @Test func aBodyThatTakesAnotherCourseIsNamedAsSuch() async {
    let runs = Log<Void>()
    await exploreSchedules(10, seed: 1, reporter: failures.reporter()) {
      runs.append(())
      _ = order(of: 2)
      #expect(runs.entries.count != 3, "the third run", sourceLocation: Self.place)
    }
    #expect(
      failures.messages == [
        """
        schedule 3 of 10 failed, that of seed 3.
        It cannot be repeated: the same schedule took another course the next time. So the body depends \
        on more than the order of what is ready, such as real time, random numbers, or tasks outside of \
        the executor. Give it a TestClock, seeds, and answers of its own. This is the first failure:
        App/AppTests.swift:12:5: Expectation failed: (runs.entries.count → 3) != 3 (error): the third run
        """
      ])
  }

  @Test func severalExecutorsOfOneBodyShareTheSchedule() async {
    let log = Log<[Int]>()
    let exploration = await exploreSchedules(100, .exhaustive) {
      log.append(order(of: 2) + order(of: 2))
    }
    #expect(exploration.isComplete)
    #expect(Set(log.entries).count == 4)
  }

  @Test func anOrderReadsAsItIsWritten() {
    let order: ScheduleOrder = [9: 2, 4: 1, 5: 0]
    #expect("\(order)" == "[4: 1, 9: 2]")
    #expect("\(ScheduleOrder())" == "[:]")
    #expect(order.count == 2)
  }

  @Test func anOrderOfNegativeNumbersEndsTheProcess() async {
    await #expect(processExitsWith: .failure) { _ = [1: -1] as ScheduleOrder }
    await #expect(processExitsWith: .failure) { _ = [-1: 1] as ScheduleOrder }
  }
}
