import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What stays real around a held body: retries, time limits, paces, and the route of an error.
@Suite struct HeldTimeTests: HeldSuite {
  let failures = Failures()
  let clock = TestClock()

  /// A sequence that no test may come to.
  private static func sequence(_ unexpected: String) -> AsyncStream<String> {
    AsyncStream { continuation in
      continuation.yield("element of \(unexpected)")
      continuation.finish()
    }
  }

  private var feed: Feedback<Shop> {
    Feedback.stream(
      \.query, name: "feed", fileID: "Shop.swift", line: 60, sequence: { Self.sequence($0) },
      catch: { .logged("\($0)") }, event: { .logged($0) })
  }

  private var tick: Feedback<Shop> {
    Feedback.every(.seconds(1), clock: clock, name: "tick", fileID: "Shop.swift", line: 70) {
      .logged("tick")
    }
  }

  @Test func anErrorTakesTheRealRoute() async {
    let context = context(.search())
    await context.run().send(.asked("a")).fail("search", with: Outage())
    #expect(context.state.log == [])
    await context
      .alive()
      .check { #expect($0.log == ["outage"]) }
      .finish()
    expectNoFailure()
  }

  @Test func anErrorGoesThroughTheRetriesFirst() async {
    let search = Feedback<Shop>.search()
      .retrying(limit: 2, backoff: .constant(.seconds(1)), clock: clock)
    await context(search).run()
      .send(.asked("a"))
      .alive(.run("search", "a"))
      .fail("search", with: Outage())
      .alive()
      .check { #expect($0.log == []) }
      .advance(by: .milliseconds(999))
      .alive()
      .advance(by: .milliseconds(1))
      .alive(.run("search", "a"))
      .fail("search", with: Outage())
      .alive()
      .check { #expect($0.log == ["outage"]) }
      .advance(by: .seconds(9))
      .alive()
      .finish()
    expectNoFailure()
  }

  @Test func anAttemptThatIsAnsweredIsTheLast() async {
    let search = Feedback<Shop>.search()
      .retrying(limit: 3, backoff: .constant(.seconds(1)), clock: clock)
    await context(search).run()
      .send(.asked("a"))
      .fail("search", with: Outage())
      .advance(by: .seconds(1))
      .answer("search", with: .logged("found"))
      .advance(by: .seconds(1))
      .alive()
      .check { #expect($0.log == ["found"]) }
      .finish()
    expectNoFailure()
  }

  @Test func aRunThatTheStateEndsIsNotTriedAgain() async {
    let search = Feedback<Shop>.search()
      .retrying(limit: 3, backoff: .constant(.seconds(1)), clock: clock)
    await context(search).run()
      .send(.asked("a")).send(.asked(nil))
      .advance(by: .seconds(1))
      .alive()
      .check { #expect($0.log == []) }
      .finish()
    expectNoFailure()
  }

  @Test func aTimeLimitEndsAHeldRun() async {
    let search = Feedback<Shop>.search().timingOut(after: .seconds(5), clock: clock)
    await context(search).run()
      .send(.asked("a"))
      .advance(by: .seconds(4))
      .alive(.run("search", "a"))
      .advance(by: .seconds(1))
      .alive()
      .check { #expect($0.log == ["the body did not end within 5.0 seconds"]) }
      .finish()
    expectNoFailure()
  }

  @Test func anAnswerWithinTheTimeLimitCounts() async {
    let search = Feedback<Shop>.search().timingOut(after: .seconds(5), clock: clock)
    await context(search).run()
      .send(.asked("a"))
      .advance(by: .seconds(4))
      .answer("search", with: .logged("found"))
      .advance(by: .seconds(5))
      .check { #expect($0.log == ["found"]) }
      .finish()
    expectNoFailure()
  }

  @Test func aRunIsAliveOnceItsPaceLetsItThrough() async {
    let search = Feedback<Shop>.search().debounced(for: .seconds(1), clock: clock)
    await context(search).run()
      .send(.asked("a")).send(.asked("ab"))
      .alive()
      .advance(by: .seconds(1))
      .alive(.run("search", "ab"))
      .send(.asked(nil))
      .finish()
    expectNoFailure()
  }

  @Test func aStreamIsAliveWithItsKeyAndGivesWhatItIsAnswered() async {
    await context(feed).run()
      .send(.asked("a"))
      .alive(.run("feed", "a"))
      .answer("feed", with: .logged("one"), .logged("two"))
      .answer("feed", with: .logged("three"))
      .alive(.run("feed", "a"))
      .check { #expect($0.log == ["one", "two", "three"]) }
      .send(.asked("b"))
      .alive(.run("feed", "b"))
      .end("feed")
      .alive()
      .finish()
    expectNoFailure()
  }

  @Test func theErrorOfAStreamTakesItsRoute() async {
    await context(feed).run()
      .send(.asked("a"))
      .answer("feed", with: .logged("one"))
      .fail("feed", with: Outage())
      .alive()
      .check { #expect($0.log == ["one", "outage"]) }
      .finish()
    expectNoFailure()
  }

  @Test func theEventsOfAStreamAreStillThinnedOut() async {
    await context(feed.debounced(for: .seconds(1), clock: clock)).run()
      .send(.asked("a"))
      .answer("feed", with: .logged("one"), .logged("two"))
      .check { #expect($0.log == []) }
      .advance(by: .seconds(1))
      .check { #expect($0.log == ["two"]) }
      .answer("feed", with: .logged("last"))
      .end("feed")
      .check { #expect($0.log == ["two", "last"]) }
      .finish()
    expectNoFailure()
  }

  @Test func aStreamThatTheLoopKeepsMayBeAliveAtTheEnd() async {
    let feed = Feedback<Shop>.stream(
      name: "feed", sequence: { Self.sequence("feed") }, event: { .logged($0) })
    let context = context(feed)
    await context.run().alive("feed").answer("feed", with: .logged("one")).settle()
    #expect(context.heldRuns.map { $0.payload == nil } == [true])
    #expect(context.state.log == ["one"])
    context.finish()
    expectNoFailure()
  }

  @Test func aHeldClockTicksWhenItIsAnswered() async {
    await context(tick).run()
      .advance(by: .seconds(9))
      .check { #expect($0.log == []) }
      .answer("tick", with: .logged("held"))
      .alive("tick")
      .check { #expect($0.log == ["held"]) }
      .finish()
    expectNoFailure()
  }

  @Test func answersOfAStreamNeverCountAsARunawayChain() async {
    let context = TestContext(
      state: .init(), system: Shop(tick), held: .all, runawayLimit: 3)
    context.run()
    for _ in 1...5 { await context.answer("tick", with: .logged("held")) }
    await context.settle()
    #expect(context.state.log.count == 5)
    context.finish()
  }
}
