import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Runs that a test ends without waiting for them.
@Suite(.unseeded) struct SkippingRunsTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context(exhaustivity: Exhaustivity = .automatic) -> TestContext<Stepper> {
    failures.context(.init(), Stepper(clock: clock), clock: clock, exhaustivity: exhaustivity)
  }

  @Test func theEndSaysNothingOfThem() async {
    await context().run().send(.loadTapped) { $0.isLoading = true }.skipRuns().finish()
    #expect(failures.messages == [])
  }

  @Test func theyGoOnUntilThen() async {
    await context().run().send(.loadTapped) { $0.isLoading = true }.skipRuns()
      .advance(by: .seconds(1))
      .receive(.loaded([1, 2])) { $0 = .init(items: [1, 2]) }
      .skip()
      .finish()
    #expect(failures.messages == [])
  }

  @Test func aLaterRunIsNotSkipped() async {
    await context().run().send(.loadTapped).skipRuns().send(.loaded([])).send(.loadTapped).finish()
    #expect(failures.messages.count == 1)
    #expect(failures.messages.first?.contains("load (") == true)
  }

  @Test func anAnswerThatWaitsMustBeReceivedAllTheSame() async {
    await context(exhaustivity: .on).run().send(.loadTapped).send(.loaded([7])).skipRuns().finish()
    #expect(failures.messages.count == 2)
  }

  @Test func withoutARunItIsAFailure() async {
    let line: UInt = #line + 1
    await context().run().skipRuns().finish()
    #expect(
      failures.heads == [
        """
        runs were to be skipped, and none is going that `finish()` would name.
        Take the step away, or make the system start one first.
        """
      ])
    #expect(failures.lines == [line])
  }
}
