import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct AdvancingStepTests {
  private let failures = Failures()
  private let clock = TestClock()

  /// Sleeps a second and goes to the main actor, three times.
  private var hopping: Feedback<Sample> {
    Feedback(.while(\.flag), name: "hop") { [clock] _, send async in
      for number in 1...3 {
        try? await clock.sleep(for: .seconds(1))
        await MainActor.run {}
        send(.done(number))
      }
    }
  }

  @Test func aBodyThatGoesToTheMainActorAndBackWakesAsOftenAsItIsDue() async {
    for _ in 0..<20 {
      let test = AdvancingStepTests()
      let context = test.failures.context(.init(), Sample(test.hopping), clock: test.clock)
      await context.run().send(.flag(true)).advance(by: .seconds(3)).finish()
      #expect(context.state.done == [1, 2, 3])
      #expect(test.failures.messages == [])
    }
  }

  @MainActor @Test func itDoesSoInATestOfTheMainActor() async {
    let context = failures.context(.init(), Sample(hopping), clock: clock)
    await context.run().send(.flag(true)).advance(by: .seconds(3)).finish()
    #expect(context.state.done == [1, 2, 3])
    #expect(failures.messages == [])
  }

  @Test func itDoesSoUnderEachSchedule() async {
    let exploration = await exploreSchedules(50, reporter: failures.reporter()) {
      let test = AdvancingStepTests()
      let context = TestContext(state: .init(), system: Sample(test.hopping), clock: test.clock)
      await context.run().send(.flag(true)).advance(by: .seconds(3))
        .check { state in #expect(state.done == [1, 2, 3]) }
        .finish()
    }
    #expect(!exploration.hasFailed)
  }

  @Test func answersOfOneAdvanceWaitWhereTheTestIsExhaustive() async {
    let context = failures.context(
      .init(), Sample(hopping), clock: clock, exhaustivity: .on)
    await context.run().send(.flag(true)).advance(by: .seconds(3))
      .receive(.done(1)) { $0.done = [1] }
      .receive(.done(2)) { $0.done = [1, 2] }
      .receive(.done(3)) { $0.done = [1, 2, 3] }
      .finish()
    #expect(failures.messages == [])
  }

  @Test func withoutAClockThereIsNothingToAdvance() async {
    let context = failures.context(.init(), Sample())
    let line: UInt = #line + 1
    await context.run().advance(by: .seconds(1))
    context.finish()
    #expect(
      failures.heads == [
        """
        no clock to advance: nothing in this test has slept on a TestClock.
        Give the system's feedbacks a TestClock, or name it with `clock:` when you make the context.
        """
      ])
    #expect(failures.lines == [line])
  }

  @Test func anErrorOnTheWayStopsNoTime() async {
    struct Failure: Error {}
    let failing = Feedback<Sample>(.once, name: "fail", catch: { _ in nil }) {
      [clock] _ async throws in
      try await clock.sleep(for: .seconds(1))
      throw Failure()
    }
    let tick = Feedback<Sample>.every(.seconds(1), clock: clock) { .done(1) }
    let context = failures.context(.init(), Sample(failing, tick), clock: clock)
    await context.run().advance(by: .seconds(3)).finish()
    #expect(context.state.done == [1, 1, 1])
    #expect(failures.messages.count == 1)
  }

  @Test func severalClocksGoOnTogether() async {
    let other = TestClock()
    let sleepers = [(clock, 2), (other, 1)].map { clock, seconds in
      Feedback<Sample>(.once, name: "sleep \(seconds)") { _ async in
        try? await clock.sleep(for: .seconds(seconds))
        return .done(seconds)
      }
    }
    let context = failures.context(.init(), Sample(sleepers))
    await context.run().advance(by: .seconds(3)).finish()
    #expect(context.state.done == [1, 2])
    #expect([clock.now, other.now] == Array(repeating: .init(offset: .seconds(3)), count: 2))
    #expect(failures.messages == [])
  }
}
