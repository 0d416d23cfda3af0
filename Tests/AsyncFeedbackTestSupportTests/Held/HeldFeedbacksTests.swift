import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Which feedbacks are held.
@Suite struct HeldFeedbacksTests: HeldSuite {
  let failures = Failures()
  let clock = TestClock()

  @Test func aSynchronousBodyAnswersAsEver() async {
    await context(.note, .search()).run()
      .send(.counted(2))
      .alive()
      .check { #expect($0.log == ["count 2"]) }
      .finish()
    expectNoFailure()
  }

  @Test func onlyWhatIsNamedIsHeld() async {
    await context(.search(), .save(), held: .named("save")).run()
      .send(.asked("a")).send(.saved(1))
      .alive(.run("save", 1))
      .end("save")
      .check { #expect($0.log == ["body of a"]) }
      .finish()
    expectNoFailure()
  }

  @Test func whatIsExceptedIsNotHeld() async {
    await context(.search(), .save(), held: .except("search", "search")).run()
      .send(.asked("a")).send(.saved(1))
      .alive(.run("save", 1))
      .end("save")
      .check { #expect($0.log == ["body of a"]) }
      .finish()
    expectNoFailure()
  }

  @Test func withoutAWordNothingIsHeld() async {
    let context = TestContext(state: .init(), system: Shop(.search()))
    await context.run().send(.asked("a")).settle()
    #expect(context.state.log == ["body of a"])
    context.finish()
  }

  @Test func aDerivedNameFindsItsFeedback() async {
    await context(Feedback(.once) { _ async in .logged("body") }).run()
      .alive("aDerivedNameFindsItsFeedback")
      .end("aDerivedNameFindsItsFeedback")
      .finish()
    expectNoFailure()
  }
}
