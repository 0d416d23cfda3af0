import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct ClaimTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context(exhaustivity: Exhaustivity = .automatic) -> TestContext<Stepper> {
    failures.context(.init(), Stepper(clock: clock), clock: clock, exhaustivity: exhaustivity)
  }

  @Test("F7: each step shows its own event's change alone")
  func ownChangeAlone() async {
    let context = context()
    await context.run()
      .send(.loaded([7])) { $0.items = [7] }
      .receive(.noted("1 items")) { $0.note = "1 items" }
      .finish()
    #expect(failures.messages == [])
    #expect(context.state == .init(items: [7], note: "1 items"))
  }

  @Test("F8: a change that an empty claim denies is one failure")
  func missingClaim() async {
    let context = context()
    let line: UInt = #line + 1
    await context.run().send(.noted("a")) { _ in }
    context.finish()
    #expect(
      failures.heads == [
        """
        .noted("a") changed the state, and the claim says that it does not (before → after):
          note: nil → "a"
        Claim the change in the step's closure, or correct the reducer. A step without a closure claims \
        nothing.
        """
      ])
    #expect(failures.lines == [line])
  }

  @Test("F8: a claim of a change that does not come is one failure")
  func needlessClaim() async {
    let context = context()
    await context.run().send(.ignored) { $0.note = "a" }
    context.finish()
    #expect(
      failures.heads == [
        """
        .ignored did not change the state, and the claim says that it does (before → claimed):
          note: nil → "a"
        The reducer does nothing on this event in this state, or an earlier event has made the change. \
        Take the claim away, or correct the reducer.
        """
      ])
  }

  @Test("F8: a wrong claim is one failure")
  func wrongClaim() async {
    let context = context()
    await context.run().send(.noted("a")) { state in
      state.note = "b"
      state.isLoading = true
    }
    context.finish()
    #expect(
      failures.heads == [
        """
        .noted("a") changed the state in another way than claimed (claimed → after):
          isLoading: true → false
          note: "b" → "a"
        A claim starts from the state before its event, and says all that the event changes. Correct the \
        claim, or the reducer.
        """
      ])
  }

  @Test("F8: a step without a claim asserts nothing, and an empty claim asserts no change")
  func noClaim() async {
    let context = context()
    await context.run().send(.noted("a")).send(.ignored) { _ in }
    context.finish()
    #expect(failures.messages == [])
  }

  @Test("D8: a claim of NaN matches NaN")
  func notANumber() async {
    let context = context()
    await context.run().send(.measured(.nan)) { $0.ratio = .nan }
      .send(.ignored) { _ in }
      .send(.measured(.nan)) { _ in }
    context.finish()
    #expect(failures.messages == [])
  }

  @Test("D9: a state made by the test itself equals one that has come about")
  func independentState() async {
    let context = context()
    await context.run()
      .send(.loaded([1])) { $0 = Stepper.State(items: [1]) }
      .receive(.noted("1 items")) { $0 = Stepper.State(items: [1], note: "1 items") }
    context.finish()
    #expect(failures.messages == [])
  }

  @Test func aClaimBeforeTheLoopRunsSaysSo() async {
    let context = context()
    await context.send(.noted("a")) { $0.note = "a" }
    #expect(
      failures.heads == [
        """
        .noted("a") waits, since the loop does not run, and its change cannot be claimed yet.
        Call run() before the step.
        """
      ])
  }

  @Test func withExhaustivityOffAClaimSaysOnlyWhatItSets() async {
    let context = context(exhaustivity: .off)
    await context.run()
      .send(.loaded([1])) { $0.items = [1] }
      .send(.loaded([2])) { $0.items = [1, 3] }
    context.finish()
    #expect(
      failures.heads == [
        """
        .loaded([2]) left the state other than claimed (claimed → after):
          items[1]: 3 → 2
        What the claim does not set is not compared, since exhaustivity is off. Correct the claim, or the \
        reducer.
        """
      ])
  }

  @Test func aStateThatIsNotEquatableIsComparedByItsParts() async {
    let context = failures.context(.init(), Plain())
    await context.run()
      .send(.renamed("a")) { $0.name = .init(text: "a") }
      .send(.renamed("b")) { $0.name = .init(text: "c") }
    context.finish()
    #expect(failures.messages.count == 1)
    #expect(failures.heads.first?.contains("  name.text: \"c\" → \"b\"") == true)
  }

  private struct Plain: SystemProtocol {
    struct Name { var text = "" }
    struct State { var name = Name() }
    enum Event { case renamed(String) }

    func reducer() -> Reducer {
      { state, event in
        switch event {
        case .renamed(let text): state.name.text = text
        }
      }
    }

    func feedbacks() -> [Feedback<Self>] { [] }
  }
}
