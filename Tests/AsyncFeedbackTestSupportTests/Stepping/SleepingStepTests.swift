import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct SleepingStepTests {
  private let failures = Failures()
  private let clock = TestClock()

  private var late: Feedback<Sample> {
    Feedback(.while(\.flag), name: "late") { [clock] _ async in
      try? await clock.sleep(id: "nap", for: .seconds(2))
      return .done(1)
    }
  }

  @Test func aSleepIsFoundByItsIdAndByItsDeadline() async {
    let context = failures.context(.init(), Sample(late), clock: clock)
    await context.run().send(.flag(true))
      .sleeping(id: "nap")
      .sleeping(until: .init(offset: .seconds(2)))
      .advance(by: .seconds(2))
      .finish()
    #expect(failures.messages == [])
    #expect(context.state.done == [1])
  }

  @Test func oneThatDoesNotComeFailsAtOnceWithAListOfWhatIsAsleep() async {
    let context = failures.context(.init(), Sample(late), clock: clock)
    await context.run().send(.flag(true))
    let line: UInt = #line + 1
    await context.sleeping(until: .init(offset: .seconds(1)))
    #expect(
      failures.heads == [
        """
        nothing sleeps until 1.0 seconds.
        Look at what is asleep below: another deadline is another duration or another start, and what is \
        not listed sleeps on another clock.
        """
      ])
    #expect(failures.lines == [line])
    #expect(failures.messages.first?.contains("\n  \"nap\" until 2.0 seconds, in late\n") == true)
    await context.sleeping(id: "other")
    #expect(
      failures.heads.last == """
        nothing sleeps under "other".
        Look at what is asleep below: another id is another sleep, a sleep without one gets it by \
        `clock.sleep(id:for:)`, and what is not listed sleeps on another clock.
        """)
  }

  @Test func aSleepBehindWorkElsewhereIsWaitedFor() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let feedback = Feedback<Sample>(.once, name: "late") { [clock] _ async in
      _ = await Task.detached { await stream.first { _ in true } }.value
      try? await clock.sleep(id: "nap", for: .seconds(2))
      return .done(1)
    }
    let context = failures.context(.init(), Sample(feedback), clock: clock, limit: .seconds(60))
    let chain = context.run()
    continuation.yield(1)
    await chain.sleeping(id: "nap").advance(by: .seconds(2)).finish()
    #expect(failures.messages == [])
    #expect(context.state.done == [1])
  }
}
