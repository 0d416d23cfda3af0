import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct WritingTests {
  private let failures = Failures()
  private let clock = TestClock()

  private var context: TestContext<Stepper> {
    failures.context(.init(), Stepper(clock: clock), clock: clock)
  }

  @Test func aWriteIsClaimedAndItsAnswersWait() async {
    let context = context
    await context.run()
      .write(\.items, [7]) { $0.items = [7] }
      .receive(.noted("1 items")) { $0.note = "1 items" }
      .write(\.items, [7]) { _ in }
      .receiveNothing()
      .finish()
    #expect(failures.messages == [])
  }

  @Test func aWrongClaimFailsAtItsLine() async {
    let context = context
    let running = context.run()
    let line: UInt = #line + 1
    await running.write(\.note, "a") { $0.note = "b" }
    context.finish()
    #expect(
      failures.heads == [
        """
        the write of "a" changed the state in another way than claimed (claimed → after):
          note: "b" → "a"
        A claim starts from the state before its event, and says all that the event changes. Correct the \
        claim, or the reducer.
        """
      ])
    #expect(failures.lines == [line])
  }

  @Test func aWriteWhileAnswersWaitIsAFailureAtItsLine() async {
    let context = context
    await context.run().write(\.items, [7]) { $0.items = [7] }
    let line: UInt = #line + 1
    await context.write(\.note, "a")
    context.finish()
    #expect(failures.heads.first?.hasPrefix("\"a\" was written while an answer waited:") == true)
    #expect(failures.lines == [line])
  }
}
