import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite(.unseeded) struct StuckStateTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context(_ feedbacks: Feedback<Sample>...) -> TestContext<Sample> {
    failures.context(.init(), Sample(feedbacks), clock: clock)
  }

  private var heads: [String] { failures.heads.map(withoutPlaces) }

  private var silent: Feedback<Sample> {
    Feedback(.while(\.flag), name: "work") { _ async in nil }
  }

  private var late: Feedback<Sample> {
    Feedback(.while(\.flag), name: "work") { [clock] _ async in
      try? await clock.sleep(for: .seconds(1))
      return .flag(false)
    }
  }

  private var tick: Feedback<Sample> {
    .every(.seconds(1), clock: clock, name: "tick") { .done(1) }
  }

  @Test func aTransientStateThatNothingCanEndIsOneFailure() async {
    let context = context(silent).transient("working") { $0.flag }
    let line: UInt = #line + 1
    await context.run().send(.flag(true))
    await context.settle().settle()
    context.finish()
    #expect(
      heads == [
        """
        the state is stuck in "working": it is at rest, and nothing is alive that could end it.
        The run that should have ended it was cancelled, has answered nil, or was never triggered: see \
        the transcript. Or it has answered, and the reducer has left the state standing. Let each of its \
        ends answer with an event that leaves the state.
        """
      ])
    #expect(failures.lines == [line])
  }

  @Test func oneThatARunWillEndIsNone() async {
    let context = context(late).transient("working", endedBy: "work") { $0.flag }
    await context.run().send(.flag(true)).advance(by: .seconds(1)).finish()
    #expect(failures.messages == [])
    #expect(context.state.flag == false)
  }

  @Test func anAnswerThatWaitsCanEndIt() async {
    let context = context(Feedback(.while(\.flag), name: "work") { _ in .flag(false) })
      .transient("working") { $0.flag }
    await context.run().send(.flag(true)) { $0.flag = true }
      .receive(.flag(false)) { $0.flag = false }
      .finish()
    #expect(failures.messages == [])
  }

  @Test func anAnswerOfAnotherFeedbackCannotWhereTheEndersAreNamed() async {
    let other = Feedback<Sample>(.onChanged(\.flag), name: "other") { $0.flag ? .done(1) : nil }
    let work = Feedback<Sample>(.onChanged(\.flag), name: "work") { _ in nil }
    let context = context(other, work).transient("working", endedBy: "other") { $0.flag }
      .transient("flagged", endedBy: "work") { $0.flag }
    await context.run().send(.flag(true)) { $0.flag = true }
    context.finish()
    #expect(failures.messages.contains { $0.contains("stuck in \"flagged\"") })
    #expect(!failures.messages.contains { $0.contains("stuck in \"working\"") })
  }

  @Test func whatIsAliveAllTheTimeDoesNotHideItWhereTheEndersAreNamed() async {
    let context = context(tick, silent).transient("working", endedBy: "work") { $0.flag }
    await context.run().send(.flag(true))
    #expect(
      heads.first?.hasPrefix(
        "the state is stuck in \"working\": it is at rest, and no run of work is alive") == true)
    #expect(heads.count == 1)
  }

  @Test func aSecondTimeIsReportedAgain() async {
    let context = context(silent).transient("working") { $0.flag }
    await context.run().send(.flag(true)).send(.flag(false)).send(.flag(true)).finish()
    #expect(heads.count == 2)
  }

  @Test func whatIsAliveAndNotNamedIsSaidToBe() async {
    let other = Feedback<Sample>(.onChanged(\.n), name: "other") { _ in nil }
    let context = context(late, other).transient("working", endedBy: "other") { $0.flag }
    await context.run().send(.flag(true))
    #expect(
      heads.last == """
        the state is stuck in "working": it is at rest, and no run of other is alive that could end it.
        The run that should have ended it was cancelled, has answered nil, or was never triggered: see the \
        transcript. Or it has answered, and the reducer has left the state standing. Let each of its ends \
        answer with an event that leaves the state.
        Alive is work, which `endedBy:` does not name: name what can end it.
        """)
  }

  @Test func anEnderThatDoesNotExistIsOneFailure() async {
    let note = Feedback<Sample>(.onChanged(\.n), name: "note") { _ in nil }
    await context(note, tick, silent).transient("working", endedBy: "load") { $0.flag }
      .run().send(.flag(true)).finish()
    #expect(
      failures.messages == [
        """
        `endedBy:` must name feedbacks that there are:
          no feedback is called load
        A feedback has the name that it is given with `name:`, or else that of the function that declares \
        it, or the word for its trigger. There are: note (synchronous), tick, work.
        """
      ])
  }
}
