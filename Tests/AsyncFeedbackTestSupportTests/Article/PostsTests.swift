import AsyncFeedbackTestSupport
import Testing

private struct Offline: Error, CustomStringConvertible {
  var description: String { "offline" }
}

@Suite struct PostsTests {
  /// Live: the body runs, and what it fetches from is stubbed.
  @Test func showsThePostsAfterASecondAttempt() async {
    let clock = TestClock()
    let system = Posts { attempt in
      try await clock.sleep(for: .seconds(1))
      if attempt == 1 { throw Offline() }
      return ["Hello"]
    }
    await TestContext(state: .init(), system: system, clock: clock)
      .run()
      .send(.loadTapped) { state in
        state.attempts = 1
        state.request = 1
      }
      .advance(by: .seconds(1))
      .receive(.failed("offline")) { state in
        state.request = nil
        state.error = "offline"
      }
      .send(.loadTapped) { state in
        state.attempts = 2
        state.request = 2
        state.error = nil
      }
      .advance(by: .seconds(1))
      .receive(.loaded(["Hello"])) { state in
        state.request = nil
        state.posts = ["Hello"]
      }
      .finish()
  }

  /// Held: no body runs, and the test answers in its place.
  @Test func showsThePostsAfterASecondAttemptThatIsHeld() async {
    await TestContext(state: .init(), system: Posts { _ in [] }, held: .all)
      .run()
      .alive()
      .send(.loadTapped)
      .alive(.run("load", 1))
      .fail("load", with: Offline())
      .receive(.failed("offline")) { state in
        state.request = nil
        state.error = "offline"
      }
      .alive()
      .send(.loadTapped)
      .alive(.run("load", 2))
      .answer("load", with: .loaded(["Hello"]))
      .receive(.loaded(["Hello"])) { state in
        state.request = nil
        state.posts = ["Hello"]
      }
      .alive()
      .finish()
  }
}
