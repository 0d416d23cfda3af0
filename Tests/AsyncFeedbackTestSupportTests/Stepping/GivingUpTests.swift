import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// One fault is one failure, also where it has stopped the loop.
@Suite struct GivingUpTests {
  private let failures = Failures()

  @Test func afterARunawayLoopNoStepFailsAnyMore() async {
    let flip = Feedback<Sample>(.onChanged(\.n), name: "flip") { .go(1 - $0.n) }
    let context = TestContext(
      state: .init(), system: Sample(flip), held: .none, clock: nil, limit: .seconds(5),
      runawayLimit: 8, exhaustivity: .automatic, checksPurity: false, reporter: failures.reporter)
    await context.run().settle()
      .send(.flag(true)) { $0.flag = true }
      .receive(.done(1))
      .receiveNothing()
      .alive("flip")
      .finish()
    #expect(failures.messages.count == 1)
    #expect(failures.messages.first?.hasPrefix("runaway loop: 8 events") == true)
  }

  @Test func aStepThatSeesTheFaultLooksForNoOther() async {
    let flip = Feedback<Sample>(.onChanged(\.n), name: "flip") { .go(1 - $0.n) }
    for step in 0..<2 {
      let failures = Failures()
      let context = TestContext(
        state: .init(), system: Sample(flip), held: .all, clock: nil, limit: .seconds(5),
        runawayLimit: 8, exhaustivity: .automatic, checksPurity: false, reporter: failures.reporter)
      if step == 0 {
        await context.run().alive("other").finish()
      } else {
        await context.run().answer("other", with: .done(1)).finish()
      }
      #expect(failures.messages.count == 1)
    }
  }

  @Test func aStuckStateAndAWrongClaimAreOneFailure() async {
    let context = failures.context(.init(), Sample()).transient("flagged") { $0.flag }
    await context.run().send(.flag(true)) { _ in }.finish()
    #expect(failures.messages.count == 1)
    #expect(failures.messages.first?.hasPrefix("the state is stuck") == true)
  }

  @Test func anotherRunFailsByItself() async {
    let flip = Feedback<Sample>(.onChanged(\.n), name: "flip") { $0.n < 9 ? .go($0.n + 1) : nil }
    let context = TestContext(
      state: .init(), system: Sample(flip), held: .none, clock: nil, limit: .seconds(5),
      runawayLimit: 8, exhaustivity: .automatic, checksPurity: false, reporter: failures.reporter)
    await context.run().settle().finish()
    await context.run().settle().send(.flag(true)) { _ in }.finish()
    #expect(failures.messages.count == 2)
    #expect(failures.heads.last?.hasPrefix(".flag(true) changed the state") == true)
  }
}
