import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Feedbacks of stores, futures and side effects, for which the test answers.
@Suite struct HeldStoreTests: HeldSuite {
  let failures = Failures()
  let clock = TestClock()

  private let feed = TestFeed<Int>(limit: .seconds(300))

  private var watch: Feedback<Shop> {
    let feed = feed
    return Feedback.stream(\.query, name: "watch") { _ in
      StreamValue { feed.make() }
    } end: {
      .logged("end")
    } event: { state in
      state.data.map { .counted($0) }
    }
  }

  @Test func aStoreIsAnsweredForByItsKey() async {
    await context(watch).run()
      .send(.asked("a"))
      .alive(.run("watch", "a"))
      .answer("watch", with: .counted(1), .counted(2))
      .alive("watch")
      .check { #expect($0.count == 2) }
      .send(.asked("b"))
      .alive(.run("watch", "b"))
      .send(.asked(nil))
      .alive()
      .finish()
    #expect(feed.runs.isEmpty)
    expectNoFailure()
  }

  @Test func theEndOfAStoreOrASequenceTakesTheRealWay() async {
    let lines = Feedback<Shop>.stream(\.query, name: "lines") { _ in
      AsyncStream<String> { $0.finish() }
    } end: {
      .logged("lines end")
    } event: {
      .logged($0)
    }
    await context(watch, lines).run()
      .send(.asked("a"))
      .end("watch")
      .check { #expect($0.log == ["end"]) }
      .end("lines")
      .check { #expect($0.log == ["end", "lines end"]) }
      .alive()
      .finish()
    expectNoFailure()
  }

  @Test func aStoreCannotThrow() async {
    let context = context(watch)
    await context.run().send(.asked("a")).fail("watch", with: Outage())
    #expect(failures.messages.count == 1)
    await context.end("watch")
    context.finish()
  }

  @Test @MainActor func aFutureAndASideEffectAreAnsweredForByWhatTheyGet() async {
    let future = FutureValue<String, Int> { $0.count }
    let effect = SideEffect<String, Int> { $0.count }
    await context(
      .request(\.query, executing: future, name: "future", catch: { .logged("\($0)") }) {
        .counted($0)
      },
      .request(\.query, running: effect, name: "effect", catch: { .logged("\($0)") }) {
        .counted($0)
      }
    ).run()
      .send(.asked("abc"))
      .alive(.run("future", "abc"), .run("effect", "abc"))
      .answer("future", with: .counted(7))
      .fail("effect", with: Outage())
      .check { state in
        #expect(state.count == 7)
        #expect(state.log == ["outage"])
      }
      .alive()
      .finish()
    if case .initial = future.state {} else { Issue.record("the future was executed") }
    expectNoFailure()
  }

  /// With bodies that run, the steps let what happens on the main actor through.
  @Test @MainActor func stepsDriveStoresThatRun() async {
    let feed = feed
    let future = FutureValue<String, Int> { $0.count }
    let context = failures.context(
      .init(),
      Shop(
        watch,
        .request(\.query, executing: future, name: "future", catch: { .logged("\($0)") }) {
          .logged("found \($0)")
        }), limit: .seconds(300))
    await context.run().send(.asked("abc")).suspend(while: context.state.log != ["found 3"])
    await feed.run(0).yield(5)
    await context.suspend(while: context.state.count != 5)
    feed.latest.finish()
    await context.suspend(while: context.state.log != ["found 3", "end"]).send(.asked(nil)).settle()
    context.finish()
    expectNoFailure()
  }
}
