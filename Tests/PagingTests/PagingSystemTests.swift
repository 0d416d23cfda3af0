import AsyncFeedbackTestSupport
import Testing

@testable import PagingSystem

/// The list with its requests held: the test answers them, and the source is never asked.
@Suite struct PagingSystemTests {
  private let clock = TestClock()

  private func makeContext() -> TestContext<Paging> {
    // The time limit around a request stays real, so its clock has to be the test's.
    TestContext(
      state: .init(limit: 3),
      system: Paging(source: Catalogue(), timeout: .seconds(5), clock: clock),
      held: .all, clock: clock, checksPurity: true
    )
    .transient("loading", endedBy: "page") { $0.phase == .loading }
    .transient("loading more", endedBy: "page") { $0.phase == .loadingMore }
  }

  private func posts(_ ids: ClosedRange<Int>) -> [Post] {
    ids.map { Post(id: $0, title: "post \($0)") }
  }

  private func request(_ number: Int, from start: Int) -> PageRequest {
    PageRequest(number: number, start: start, limit: 3)
  }

  // MARK: Pages

  @Test func thePagesFollowEachOtherToTheEnd() async {
    await makeContext()
      .run()
      .alive()
      .check { state in #expect(state == .init(limit: 3)) }
      .send(.loadTapped) { $0.wait(for: request(1, from: 0), in: .loading) }
      .alive(.run("page", request(1, from: 0)))
      .answer("page", with: .pageLoaded(posts(1...3)))
      .receive(.pageLoaded(posts(1...3))) { state in
        state.phase = .loaded
        state.posts = posts(1...3)
        state.request = nil
      }
      .alive()
      .send(.moreTapped) { $0.wait(for: request(2, from: 3), in: .loadingMore) }
      .alive(.run("page", request(2, from: 3)))
      .answer("page", with: .pageLoaded(posts(4...5)))
      .receive(.pageLoaded(posts(4...5))) { state in
        state.phase = .loaded
        state.posts = posts(1...5)
        state.isAtEnd = true
        state.request = nil
      }
      .send(.moreTapped) { _ in }
      .alive()
      .finish()
  }

  @Test func aLastPageMayBeEmpty() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .answer("page", with: .pageLoaded(posts(1...3)))
      .send(.moreTapped)
      .answer("page", with: .pageLoaded([]))
      .receive(.pageLoaded([])) { state in
        state.phase = .loaded
        state.isAtEnd = true
        state.request = nil
      }
      .finish()
  }

  @Test func aListMayBeEmpty() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .answer("page", with: .pageLoaded([]))
      .check { state in #expect(state.phase == .empty) }
      .send(.refreshTapped)
      .check { state in #expect(state.phase == .loading) }
      .answer("page", with: .pageLoaded(posts(1...1)))
      .check { state in #expect(state.phase == .loaded) }
      .finish()
  }

  // MARK: Failures

  @Test func aFirstPageThatFailsIsAskedForAgain() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .fail("page", with: PageError("no"))
      .check { state in #expect(state.phase == .failed("no")) }
      .alive()
      .send(.retryTapped)
      .check { state in #expect(state.phase == .loading) }
      .alive(.run("page", request(2, from: 0)))
      .answer("page", with: .pageLoaded(posts(1...3)))
      .check { state in
        #expect(state.phase == .loaded)
        #expect(state.posts == posts(1...3))
      }
      .finish()
  }

  @Test func aFurtherPageThatFailsLeavesWhatWasLoaded() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .answer("page", with: .pageLoaded(posts(1...3)))
      .send(.moreTapped)
      .fail("page", with: PageError("no"))
      .receive(.pageFailed("no")) { state in
        state.phase = .failedMore("no")
        state.request = nil
      }
      .send(.retryTapped) { $0.wait(for: request(3, from: 3), in: .loadingMore) }
      .alive(.run("page", request(3, from: 3)))
      .answer("page", with: .pageLoaded(posts(4...4)))
      .check { state in #expect(state.posts == posts(1...4)) }
      .finish()
  }

  @Test func aPageThatTakesTooLongFails() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .advance(by: .milliseconds(4_999))
      .alive("page")
      .advance(by: .milliseconds(1))
      .check { state in #expect(state.phase == .failed("no answer within 5.0 seconds")) }
      .alive()
      .finish()
  }

  // MARK: Refreshing

  @Test func aRefreshKeepsThePostsUntilTheNewOnesAreThere() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .answer("page", with: .pageLoaded(posts(1...3)))
      .send(.refreshTapped) { $0.wait(for: request(2, from: 0), in: .loading) }
      .fail("page", with: PageError("no"))
      .receive(.pageFailed("no")) { state in
        state.phase = .failed("no")
        state.request = nil
      }
      .send(.retryTapped) { $0.wait(for: request(3, from: 0), in: .loading) }
      .answer("page", with: .pageLoaded(posts(7...9)))
      .receive(.pageLoaded(posts(7...9))) { state in
        state.phase = .loaded
        state.posts = posts(7...9)
        state.request = nil
      }
      .finish()
  }

  @Test func aRefreshReplacesThePageThatIsOnItsWay() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .send(.refreshTapped)
      .alive(.run("page", request(2, from: 0)))
      .answer("page", with: .pageLoaded(posts(1...3)))
      .send(.moreTapped)
      .send(.refreshTapped)
      .check { state in #expect(state.phase == .loading) }
      .alive(.run("page", request(4, from: 0)))
      .answer("page", with: .pageLoaded(posts(7...9)))
      .check { state in #expect(state.posts == posts(7...9)) }
      .finish()
  }

  // MARK: What makes no sense

  @Test func whatMakesNoSenseInAPhaseChangesNothing() async {
    await makeContext()
      .run()
      .send(.moreTapped) { _ in }
      .send(.retryTapped) { _ in }
      .send(.refreshTapped) { _ in }
      .send(.pageLoaded(posts(1...3))) { _ in }
      .send(.pageFailed("no")) { _ in }
      .alive()
      .send(.loadTapped)
      .send(.loadTapped) { _ in }
      .send(.moreTapped) { _ in }
      .send(.retryTapped) { _ in }
      .alive(.run("page", request(1, from: 0)))
      .answer("page", with: .pageLoaded(posts(1...3)))
      .check { state in #expect(state.phase == .loaded) }
      .finish()
  }
}

extension Paging.State {
  /// Makes the change of an event that asks for a page.
  fileprivate mutating func wait(for request: PageRequest, in phase: Paging.Phase) {
    self.phase = phase
    self.request = request
    requests = request.number
  }
}
