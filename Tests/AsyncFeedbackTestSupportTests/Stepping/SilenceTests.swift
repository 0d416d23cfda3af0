import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What is said of an event that does not come since time is not the test's.
@Suite(.unseeded) struct SilenceTests {
  private let failures = Failures()
  private let clock = TestClock()

  private var heads: [String] { failures.heads.map(withoutPlaces) }

  @Test func aSleepOnAnotherTestClockFailsAtOnce() async {
    let other = TestClock()
    await failures.context(.init(), Stepper(clock: other), clock: clock).run().send(.loadTapped)
      .advance(by: .seconds(1))
      .receive(.loaded([1, 2]))
      .finish()
    #expect(
      heads == [
        """
        expected .loaded([1, 2]), and no event waits.
        Something is asleep on another clock than the one that the context was made with, which alone \
        `advance(by:)` moves. Give the system that clock, or leave `clock:` out.
        """
      ])
    #expect(
      failures.messages.first?.contains(
        """

        asleep:
          a sleeper without id until 1.0 seconds, in load, on a clock that is not moved here
        transcript:
        """) == true)
  }

  @Test func atTheEndItIsSaidToo() async {
    let other = TestClock()
    await failures.context(.init(), Stepper(clock: other), clock: clock).run().send(.loadTapped)
      .advance(by: .seconds(1))
      .finish()
    #expect(
      heads == [
        """
        the test finished while a run was going:
          load (place), started by event #1
        Let it end: answer what it waits for, advance its clock, or have the state end it.
        Something is asleep on another clock than the one that the context was made with, which alone \
        `advance(by:)` moves. Give the system that clock, or leave `clock:` out.
        """
      ])
  }

  @Test func withoutAClockOfTheContextEveryTestClockIsMoved() async {
    await failures.context(.init(), Stepper(clock: clock)).run().send(.loadTapped) {
      $0.isLoading = true
    }
    .advance(by: .seconds(1))
    .receive(.loaded([1, 2]))
    .skip()
    .finish()
    #expect(failures.messages == [])
  }

  @Test func workOutsideIsNamedWithTheTimeThatWasWaited() async {
    let listen = Feedback<Sample>(.while(\.flag), name: "listen") { _ async in
      for await _ in AsyncStream<Int>.makeStream().stream {}
      return nil
    }
    let line: UInt = #line + 3
    await failures.context(.init(), Sample(listen), clock: clock, limit: .milliseconds(10))
      .run().send(.flag(true))
      .receive(.done(1))
      .finish()
    #expect(
      heads == [
        """
        expected .done(1), and no event has come within 0.01 seconds of real time.
        What goes on does so outside of the test:
          listen (place), started by event #1
        It sleeps on a clock that is no TestClock, or waits for what has not come. Give it the clock of \
        the test, bring what it waits for, or hold its feedback.
        """
      ])
    #expect(failures.lines == [line])
  }
}
