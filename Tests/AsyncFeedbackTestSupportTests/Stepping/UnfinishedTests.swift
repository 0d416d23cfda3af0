import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// A test that forgets `finish()` is told what that would have said.
@Suite(.unseeded) struct UnfinishedTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func withContext(
    exhaustivity: Exhaustivity = .automatic,
    _ body: nonisolated(nonsending) (TestContext<Stepper>) async -> Void
  ) async {
    var context: TestContext? = failures.context(
      .init(), Stepper(clock: clock), clock: clock, exhaustivity: exhaustivity)
    if let context { await body(context) }
    context = nil
  }

  @Test func whatIsLeftOfATestWithClaimsIsOneFailure() async {
    await withContext { context in
      await context.run().send(.loaded([7])) { $0.items = [7] }
    }
    #expect(
      failures.heads.map(withoutPlaces) == [
        """
        the context is gone, and nobody has called `finish()`, which would have failed:
        the test finished with an answer that nobody has received:
          .noted("1 items") from note (place), started by event #1
        Receive or skip it, or let it go with settle().
        Let `finish()` be the last step. If an error has ended the test before it, look at that first.
        """
      ])
  }

  @Test func theFailureIsAtTheLineOfTheContext() async {
    let line: UInt = #line + 1
    let reporter = FailureReporter { [failures] in failures.log.append(($0, $1.line)) }
    var context: TestContext? = TestContext(
      state: .init(), system: Stepper(clock: clock), clock: clock, limit: .seconds(5),
      runawayLimit: nil, exhaustivity: .on, checksPurity: false, reporter: reporter)
    await context?.run().send(.loadTapped)
    context = nil
    #expect(failures.lines == [line])
    #expect(failures.messages.first?.contains("the test finished while a run was going:") == true)
  }

  @Test func anErrorThatCameTooLateForAStepIsSaid() async {
    struct Offline: Error {}
    let failing = Feedback<Sample>(.while(\.flag), name: "fail", catch: { _ in nil }) {
      [clock] _ async throws in
      try await clock.sleep(for: .seconds(1))
      throw Offline()
    }
    var context: TestContext? = failures.context(.init(), Sample(failing), clock: clock)
    await context?.run().send(.flag(true)) { $0.flag = true }
    clock.advance(by: .seconds(1))
    context = nil
    #expect(failures.messages.count == 1)
    #expect(failures.messages.first?.contains("failed with an error that becomes no event") == true)
  }

  @Test func nothingIsSaidWhereNothingIsLeft() async {
    await withContext { context in
      await context.run().send(.noted("a")) { $0.note = "a" }
    }
    #expect(failures.messages == [])
  }

  @Test func nothingIsSaidOfATestThatClaimsNothing() async {
    await withContext { await $0.run().send(.loaded([7])).send(.loadTapped) }
    await withContext(exhaustivity: .off) { context in
      await context.run().send(.loaded([7])) { $0.items = [7] }
    }
    #expect(failures.messages == [])
    #expect(failures.notes == [])
  }

  @Test func nothingIsSaidOfATestThatHasFinished() async {
    await withContext { context in
      await context.run().send(.loadTapped) { $0.isLoading = true }.finish()
    }
    #expect(failures.messages.count == 1)
  }

  @Test func nothingIsSaidOfATestThatIsCancelled() async {
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await withContext(exhaustivity: .on) { await $0.run().send(.loadTapped) }
    }.value
    #expect(failures.messages == [])
  }

  @Test func nothingIsSaidWhereALoopWasGivenUp() async {
    let flip = Feedback<Sample>(.onChanged(\.n), name: "flip") { .go(1 - $0.n) }
    var context: TestContext? = TestContext(
      state: .init(), system: Sample(flip), held: .none, clock: nil, limit: .seconds(5),
      runawayLimit: 8, exhaustivity: .on, checksPurity: false, reporter: failures.reporter)
    await context?.run().settle()
    context = nil
    #expect(failures.messages.count == 1)
    #expect(failures.messages.first?.hasPrefix("runaway loop") == true)
  }

  @Test func inAnExplorationTheFailureOfTheBodyComesFirst() async {
    let exploration = await exploreSchedules(2, reporter: failures.reporter()) {
      let context = TestContext(
        state: .init(), system: Stepper(clock: TestClock()), exhaustivity: .on)
      await context.run().send(.loadTapped)
      #expect(context.state.note == "a")
    }
    #expect(exploration.hasFailed)
    #expect(failures.messages.first?.contains("Expectation failed") == true)
    #expect(failures.messages.first?.contains("more after it") == false)
  }
}
