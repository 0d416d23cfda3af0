import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What a context says of the names of its held feedbacks.
@Suite struct HeldNamesTests: HeldSuite {
  let failures = Failures()
  let clock = TestClock()

  @Test func aContextThatNamesWhatIsNotThereSaysSo() {
    _ = context(.note, .search(), .save(), held: .named("serch", "note", "save"))
    #expect(
      failures.messages == [
        """
        `held:` must name feedbacks that there are:
          no feedback is called serch
          note answers in the turn of its trigger, which cannot be held
        A feedback has the name that it is given with `name:`, or else that of the function \
        that declares it, or the word for its trigger. There are: note (synchronous), search, \
        save.
        """
      ])
  }

  @Test func aNameThatIsExceptedMustExistToo() {
    _ = context(.note, .search(), held: .except("serch", "note"))
    #expect(
      failures.messages == [
        """
        `held:` must name feedbacks that there are:
          no feedback is called serch
        A feedback has the name that it is given with `name:`, or else that of the function \
        that declares it, or the word for its trigger. There are: note (synchronous), search.
        """
      ])
  }

  @Test func aSystemWithoutFeedbacksHasNoNames() {
    _ = context(held: .named("load"))
    #expect(
      failures.messages == [
        """
        `held:` must name feedbacks that there are:
          no feedback is called load
        A feedback has the name that it is given with `name:`, or else that of the function \
        that declares it, or the word for its trigger. There are no feedbacks at all.
        """
      ])
  }

  @Test func theNamesAreWrongAtTheLineOfTheContext() {
    let line = #line + 2
    withKnownIssue {
      _ = TestContext(state: .init(), system: Shop(), held: .named("load"))
    } matching: { issue in
      issue.sourceLocation?.line == line
    }
  }
}
