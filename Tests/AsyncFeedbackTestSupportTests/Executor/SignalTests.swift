import AsyncFeedbackTestSupport
import Testing

@Suite struct SignalTests {
  let signal = Signal()

  @Test func aSignGivenBeforeTheWaitIsNotLost() async {
    signal.give()
    #expect(await signal.wait() == .given)
  }

  @Test func aSignEndsTheWaitThatIsGoingOn() async {
    let waiter = Task { [signal] in await signal.wait() }
    signal.give()
    #expect(await waiter.value == .given)
  }

  @Test func aSignEndsOneWait() async {
    signal.give()
    signal.give()
    #expect(await signal.wait() == .given)
    #expect(await signal.wait(limit: .zero) == .limitReached)
  }

  @Test func aLimitThatIsReachedEndsEveryLaterWait() async {
    await signal.within(.zero) {
      #expect(await signal.wait() == .limitReached)
      #expect(await signal.wait() == .limitReached)
    }
  }

  @Test func aSignCountsAfterTheLimitToo() async {
    await signal.within(.zero) {
      #expect(await signal.wait() == .limitReached)
      signal.give()
      #expect(await signal.wait() == .given)
    }
  }

  @Test func cancellationEndsTheWait() async {
    let waiter = Task { [signal] in await signal.wait() }
    waiter.cancel()
    #expect(await waiter.value == .cancelled)
  }

  @Test func aSignSurvivesACancelledWait() async {
    let waiter = Task { [signal] in await signal.wait() }
    waiter.cancel()
    _ = await waiter.value
    signal.give()
    #expect(await signal.wait() == .given)
  }
}
