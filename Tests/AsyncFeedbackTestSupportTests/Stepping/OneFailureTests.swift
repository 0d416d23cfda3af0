import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What follows from a failure is not a second one.
@Suite(.unseeded) struct OneFailureTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context(exhaustivity: Exhaustivity = .automatic) -> TestContext<Stepper> {
    failures.context(.init(), Stepper(clock: clock), clock: clock, exhaustivity: exhaustivity)
  }

  private func expectOne(
    _ beginning: String, line: UInt, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(failures.messages.count == 1, sourceLocation: sourceLocation)
    #expect(
      failures.messages.first?.hasPrefix(beginning) == true, sourceLocation: sourceLocation)
    #expect(failures.lines == [line], sourceLocation: sourceLocation)
  }

  @Test func aForgottenAdvance() async {
    let line: UInt = #line + 2
    await context().run().send(.loadTapped) { $0.isLoading = true }
      .receive(.loaded([1, 2])) { $0.isLoading = false }
      .finish()
    expectOne("expected .loaded([1, 2]), and no event waits.", line: line)
  }

  @Test func aForgottenRun() async {
    let line: UInt = #line + 1
    await context().send(.loadTapped) { $0.isLoading = true }
      .advance(by: .seconds(1))
      .receive(.loaded([1, 2])) { $0.isLoading = false }
      .finish()
    expectOne(".loadTapped waits, since the loop does not run", line: line)
    #expect(failures.messages.first?.contains("\ntranscript: empty") == true)
  }

  @Test func aForgottenRunBeforeAReceive() async {
    let line: UInt = #line + 1
    await context().receive(.loaded([1, 2])).advance(by: .seconds(-1)).finish()
    expectOne(
      "expected .loaded([1, 2]), and no event waits.\nThe loop does not run. Call run() before the step.",
      line: line)
  }

  @Test func aForgottenRunBeforeHeldRuns() async {
    let feedback = Feedback<Sample>(.while(\.flag), name: "work") { _ async in .done(1) }
    let line: UInt = #line + 2
    await failures.context(.init(), Sample(feedback), held: .all).send(.flag(true))
      .alive("work")
      .answer("work", with: .done(1))
      .finish()
    expectOne("the held runs that are alive are not those", line: line)
  }

  @Test func whatIsSkippedAfterAFailureHasTakenIt() async {
    let line: UInt = #line + 2
    await context(exhaustivity: .on).run().send(.loaded([7]))
      .send(.ignored)
      .skip(1)
      .finish()
    expectOne(".ignored was sent while an answer waited:", line: line)
    await context(exhaustivity: .on).run().send(.loaded([7])).send(.ignored).skip(2).finish()
    #expect(failures.heads.last?.hasPrefix("2 events were to be skipped, and 0 wait.") == true)
  }

  @Test func whatFailsToBeNothing() async {
    let line: UInt = #line + 1
    await context().run().send(.loaded([7])) { $0.items = [7] }.receiveNothing().finish()
    expectOne("no event was expected, and one waits:", line: line)
  }

  @Test func whatFailsToBeNothingAndIsLetGo() async {
    let line: UInt = #line + 1
    await context().run().send(.loaded([7])) { $0.items = [7] }.receiveNothing().send(.ignored)
      .finish()
    expectOne("no event was expected, and one waits:", line: line)
  }

  @Test func anAdvanceWithoutAClockWhileAnAnswerWaits() async {
    let line: UInt = #line + 3
    await failures.context(.init(), Sample(Feedback(.onChanged(\.n), name: "echo") { .done($0.n) }))
      .run().skip().send(.go(1)) { $0.n = 1 }
      .advance(by: .seconds(1))
      .receive(.done(1)) { $0.done = [0, 1] }
      .send(.go(2)) { $0.n = 2 }
      .receive(.done(2)) { $0.done = [0, 1, 2] }
      .finish()
    expectOne("the clock was advanced while an answer waited:", line: line)
  }

  @Test func anErrorForABodyThatCannotThrow() async {
    let feedback = Feedback<Sample>(.while(\.flag), name: "work") { _ async in .done(1) }
    let line: UInt = #line + 2
    await failures.context(.init(), Sample(feedback), held: .all).run().send(.flag(true))
      .fail("work", with: CancellationError())
      .finish()
    expectOne("`fail` gave an error to a run whose body cannot throw:", line: line)
  }

  @Test func anAnswerForANameThatDoesNotExist() async {
    let feedback = Feedback<Sample>(.while(\.flag), name: "work") { _ async in .done(1) }
    let line: UInt = #line + 2
    await failures.context(.init(), Sample(feedback), held: .all).run().send(.flag(true))
      .answer("wrok", with: .done(1))
      .finish()
    expectOne("`answer` found no held run alive for: wrok", line: line)
  }

  @Test func aSleepThatIsNotThere() async {
    let line: UInt = #line + 1
    await context().run().send(.loadTapped).sleeping(id: "load").finish()
    expectOne("nothing sleeps under \"load\".", line: line)
  }

  @Test func twoFaultsAreTwo() async {
    await context().run().send(.noted("a")) { _ in }.send(.loadTapped).finish()
    #expect(failures.messages.count == 2)
  }

  @Test func anAnswerThatAFailureHasTakenIsReceivedOnce() async {
    let line: UInt = #line + 2
    await context(exhaustivity: .on).run().send(.loaded([7]))
      .send(.ignored)
      .receive(.noted("1 items"))
      .receive(.noted("1 items"))
      .finish()
    #expect(failures.lines == [line, line + 2])
    #expect(
      failures.heads.last == """
        expected .noted("1 items"), and no event waits.
        It was let go by the failure at line \(line), and reduced as event #2.
        """)
  }

  @Test func answersInAnotherOrderThanExpected() async {
    let feedbacks = [1, 2].map { number in
      Feedback<Sample>(.onChanged(\.n), name: "echo \(number)") {
        $0.n == 0 ? nil : .done(number)
      }
    }
    let line: UInt = #line + 2
    await failures.context(.init(), Sample(feedbacks)).run().send(.go(1)) { $0.n = 1 }
      .receive(.done(2)) { $0.done = [2] }
      .receive(.done(1)) { $0.done = [2, 1] }
      .finish()
    expectOne("expected .done(2), and the next is .done(1)", line: line)
  }

  @Test func anAnswerThatWasReceivedIsNotSaidToBeLetGo() async {
    await context().run().send(.loaded([7])) { $0.items = [7] }
      .receive(.noted("1 items"))
      .receive(.noted("1 items"))
      .finish()
    #expect(
      failures.heads == [
        """
        expected .noted("1 items"), and no event waits.
        Nothing is alive that could bring it: the state triggers no feedback that answers with it.
        """
      ])
  }

  @Test func anEventThatTheTestHasSentIsNoAnswer() async {
    await context().run().send(.noted("a")).receive(.noted("a")).finish()
    #expect(failures.heads.count == 1)
    #expect(failures.heads.first?.contains("Nothing is alive that could bring it") == true)
  }
}
