import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct ExhaustivityTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context(exhaustivity: Exhaustivity = .automatic) -> TestContext<Stepper> {
    failures.context(.init(), Stepper(clock: clock), clock: clock, exhaustivity: exhaustivity)
  }

  private var heads: [String] { failures.heads.map(withoutPlaces) }

  @Test("F9: an answer that nobody has received")
  func unreceived() async {
    let context = context()
    await context.run().send(.loadTapped) { $0.isLoading = true }
    await context.send(.loaded([])) { $0.isLoading = false }
    await context.send(.loaded([7])) { $0.items = [7] }
    let line: UInt = #line + 1
    context.finish()
    #expect(
      heads == [
        """
        the test finished with an answer that nobody has received:
          .noted("1 items") from note (place), started by event #3
        Receive or skip it, or let it go with settle().
        """
      ])
    #expect(failures.lines == [line])
  }

  @Test("F9: a feedback that the state has ended needs no cancel")
  func endedByTheState() async {
    let context = context(exhaustivity: .on)
    await context.run().send(.loadTapped).send(.loaded([]))
    context.finish()
    #expect(failures.messages == [])
  }

  @Test("F9: an answer that waits and a run that is asleep are one failure")
  func unreceivedAndAsleep() async {
    let context = context(exhaustivity: .on)
    await context.run().send(.loaded([7])).receive(.noted("1 items")).send(.loadTapped)
      .do { context.context.send(.noted("b"), fileID: "Test/Outside.swift", line: 12) }
      .sleeping(until: .init(offset: .seconds(1)))
    context.finish()
    #expect(
      heads == [
        """
        the test finished with an answer that nobody has received:
          .noted("b"), sent at Test/Outside.swift:12
        Receive or skip it, or let it go with settle().
        the test finished while a run was going:
          load (place), started by event #3
        Let it end: answer what it waits for, advance its clock, or have the state end it.
        """
      ])
  }

  @Test func beforeTheFirstClaimAnswersGoBeforeTheNextEvent() async {
    let context = context()
    await context.run().send(.loaded([7])).send(.loadTapped)
    #expect(context.state.note == "1 items")
    await context.advance(by: .seconds(1)).check { state in #expect(state.note == "3 items") }
    context.finish()
    #expect(failures.messages == [])
  }

  @Test func aSendWhileAnswersWaitIsOneFailureAndTakesThem() async {
    let context = context()
    await context.run().send(.loaded([7])) { $0.items = [7] }
    let line: UInt = #line + 1
    await context.send(.loaded([8])) { $0.items = [7, 8] }
    await context.receive(.noted("2 items")) { $0.note = "2 items" }
    context.finish()
    #expect(
      heads == [
        """
        .loaded([8]) was sent while an answer waited:
          .noted("1 items") from note (place), started by event #1
        Receive or skip what a step has brought before the next one, or let it go with settle(). What \
        waits is let go now.
        """
      ])
    #expect(failures.lines == [line])
  }

  @Test func anAdvanceWhileAnswersWaitIsAFailure() async {
    let context = context(exhaustivity: .on)
    await context.run().send(.loaded([7])).advance(by: .seconds(1))
    context.finish()
    #expect(heads.count == 1)
    #expect(heads.first?.hasPrefix("the clock was advanced while an answer waited:") == true)
  }

  @Test func aWriteOfABindingWhileAnswersWaitIsAFailure() async {
    let context = context(exhaustivity: .on)
    await context.run().send(.loaded([7]))
    context.eventBinding.ratio.wrappedValue = 2
    context.finish()
    #expect(heads.count == 1)
    #expect(heads.first?.hasPrefix("a binding was written while an answer waited:") == true)
    #expect(context.state == .init(items: [7], note: "1 items", ratio: 2))
  }

  @Test func whatAStepLetsGoOnPurposeIsNoFailure() async {
    let context = context(exhaustivity: .on)
    await context.run().send(.loaded([7])).settle()
      .send(.loaded([8])).check { state in #expect(state.note == "2 items") }
      .send(.loaded([9])).suspend(while: context.state.note == "2 items")
    context.finish()
    #expect(failures.messages == [])
    #expect(context.state.note == "3 items")
  }

  @Test func offReportsWhatItPassesOverAndFailsNothing() async {
    let context = context(exhaustivity: .off)
    await context.run().send(.loaded([7])).send(.loadTapped)
      .advance(by: .seconds(1))
      .receive(.noted("3 items"))
      .send(.loadTapped)
    context.finish()
    #expect(failures.messages == [])
    let heads = failures.notes.map { note in
      withoutPlaces(
        note.split(separator: "\n").prefix { !$0.hasPrefix("state") }.joined(separator: "\n"))
    }
    #expect(
      heads == [
        """
        skipped, since exhaustivity is off:
          .noted("1 items") from note (place), started by event #1
        """,
        """
        skipped, since exhaustivity is off:
          .loaded([1, 2]) from load (place), started by event #3
        """,
        """
        the test finished while a run was going:
          load (place), started by event #6
        Let it end: answer what it waits for, advance its clock, or have the state end it.
        """,
      ])
  }

  @Test func switchedOnAfterAStepThatLetsGoAnswersWait() async {
    let context = context()
    await context.run().send(.loadTapped).settle()
    context.exhaustivity = .on
    await context.advance(by: .seconds(1))
      .receive(.loaded([1, 2])) { $0 = .init(items: [1, 2]) }
      .skip()
    context.exhaustivity = .off
    await context.send(.loadTapped).advance(by: .seconds(1)).receive(.loaded([1, 2])).skip()
    context.finish()
    #expect(failures.messages == [])
  }

  @Test func withExhaustivityOffAClaimMayStartFromWhatWas() async {
    let context = context(exhaustivity: .off)
    await context.run().send(.loaded([1])) { $0.items.append(1) }
      .receive(.noted("1 items")) { $0.note = "1 items" }
      .send(.loaded([2])) { $0.items.append(3) }
      .skip()
    context.finish()
    #expect(
      heads == [
        """
        .loaded([2]) left the state other than claimed (claimed → after):
          items[1]: 3 → 2
        What the claim does not set is not compared, since exhaustivity is off. Correct the claim, or the \
        reducer.
        """
      ])
  }

  @Test func offStillExpectsWhatIsReceived() async {
    let context = context(exhaustivity: .off)
    await context.run().send(.loaded([7])).receive(.loaded([8]))
    context.finish()
    #expect(
      heads == [
        """
        expected .loaded([8]), and no event waits.
        Nothing is alive that could bring it: the state triggers no feedback that answers with it.
        """
      ])
  }
}
