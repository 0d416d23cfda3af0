import AsyncFeedbackTestSupport
import PagingSystem
import Testing

@Suite struct PagingSystemTests {
  private let library = Library()
  private let clock = TestClock()

  private func makeContext(limit: Int = 3) -> TestContext<Paging> {
    TestContext(
      state: .init(limit: limit), system: Paging(source: library, clock: clock), clock: clock)
  }

  @Test func thePagesFollowEachOtherToTheEnd() async {
    let context = makeContext()
    await context
      .run()
      .check { state in #expect(state.phase == .idle) }
      .send(.loadTapped)
      .check { state in #expect(state.phase == .loading) }
      .do { library.answer(1, 1...3) }
      .check { state in
        #expect(state.phase == .loaded)
        #expect(!state.isAtEnd)
      }
      .send(.moreTapped)
      .check { state in
        #expect(state.phase == .loadingMore)
        #expect(state.posts.map(\.id) == [1, 2, 3])
      }
      .do { library.answer(2, 4...5) }
      .check { state in
        #expect(state.phase == .loaded)
        #expect(state.posts.map(\.id) == [1, 2, 3, 4, 5])
        #expect(state.isAtEnd)
      }
      .send(.moreTapped)
      .check { state in #expect(state.phase == .loaded) }
      .finish()
    #expect(
      library.requests == [
        PageRequest(number: 1, start: 0, limit: 3), PageRequest(number: 2, start: 3, limit: 3),
      ])
  }

  @Test func aLastPageMayBeEmpty() async {
    let context = makeContext()
    await context
      .run()
      .send(.loadTapped)
      .do { library.answer(1, 1...3) }
      .send(.moreTapped)
      .do { library.answer(2, []) }
      .check { state in
        #expect(state.phase == .loaded)
        #expect(state.posts.count == 3)
        #expect(state.isAtEnd)
      }
      .finish()
  }

  @Test func aListMayBeEmpty() async {
    let context = makeContext()
    await context
      .run()
      .send(.loadTapped)
      .do { library.answer(1, []) }
      .check { state in #expect(state.phase == .empty) }
      .send(.refreshTapped)
      .check { state in #expect(state.phase == .loading) }
      .do { library.answer(2, 1...1) }
      .check { state in #expect(state.phase == .loaded) }
      .finish()
  }

  @Test func aFirstPageThatFailsIsAskedForAgain() async {
    let context = makeContext()
    await context
      .run()
      .send(.loadTapped)
      .do { library.fail(1, "no") }
      .check { state in #expect(state.phase == .failed("no")) }
      .send(.retryTapped)
      .check { state in #expect(state.phase == .loading) }
      .do { library.answer(2, 1...3) }
      .check { state in #expect(state.phase == .loaded) }
      .finish()
    #expect(library.requests.map(\.start) == [0, 0])
  }

  @Test func aFurtherPageThatFailsLeavesWhatWasLoaded() async {
    let context = makeContext()
    await context
      .run()
      .send(.loadTapped)
      .do { library.answer(1, 1...3) }
      .send(.moreTapped)
      .do { library.fail(2, "no") }
      .check { state in
        #expect(state.phase == .failedMore("no"))
        #expect(state.posts.map(\.id) == [1, 2, 3])
      }
      .send(.retryTapped)
      .check { state in #expect(state.phase == .loadingMore) }
      .do { library.answer(3, 4...4) }
      .check { state in #expect(state.posts.map(\.id) == [1, 2, 3, 4]) }
      .finish()
    #expect(library.requests.map(\.start) == [0, 3, 3])
  }

  @Test func aRefreshKeepsThePostsUntilTheNewOnesAreThere() async {
    let context = makeContext()
    await context
      .run()
      .send(.loadTapped)
      .do { library.answer(1, 1...3) }
      .send(.refreshTapped)
      .do { library.fail(2, "no") }
      .check { state in
        #expect(state.phase == .failed("no"))
        #expect(state.posts.map(\.id) == [1, 2, 3])
      }
      .send(.retryTapped)
      .do { library.answer(3, 7...9) }
      .check { state in #expect(state.posts.map(\.id) == [7, 8, 9]) }
      .finish()
  }

  @Test func aRefreshReplacesThePageThatIsOnItsWay() async {
    let context = makeContext()
    await context
      .run()
      .send(.loadTapped)
      .do { library.answer(1, 1...3) }
      .send(.moreTapped)
      .send(.refreshTapped)
      .check { state in #expect(state.phase == .loading) }
      // The answer that nobody waits for any more comes last.
      .do {
        library.answer(3, 7...9)
        library.answer(2, 4...6)
      }
      .check { state in
        #expect(state.phase == .loaded)
        #expect(state.posts.map(\.id) == [7, 8, 9])
      }
      .finish()
  }

  @Test func aLateAnswerDoesNotPassForThatToARefreshOfTheSamePage() async {
    let context = makeContext()
    await context
      .run()
      .send(.loadTapped)
      .send(.refreshTapped)
      .do { library.answer(1, 1...3) }
      .check { state in
        #expect(state.phase == .loading)
        #expect(state.posts.isEmpty)
      }
      .do { library.answer(2, 7...9) }
      .check { state in #expect(state.posts.map(\.id) == [7, 8, 9]) }
      .finish()
  }

  @Test func aPageThatTakesTooLongFails() async {
    let catalogue = Catalogue(latency: .seconds(60), clock: clock)
    let context = TestContext(
      state: .init(), system: Paging(source: catalogue, timeout: .seconds(5), clock: clock),
      clock: clock)
    await context
      .run()
      .send(.loadTapped)
      .advance(by: .milliseconds(4_999))
      .check { state in #expect(state.phase == .loading) }
      .advance(by: .milliseconds(1))
      .check { state in #expect(state.phase == .failed("no answer within 5.0 seconds")) }
      .finish()
  }

  @Test func whatMakesNoSenseInAPhaseChangesNothing() async {
    let context = makeContext()
    await context
      .run()
      .send(.moreTapped)
      .send(.retryTapped)
      .send(.refreshTapped)
      .check { state in #expect(state == .init(limit: 3)) }
      .send(.loadTapped)
      .send(.loadTapped)
      .send(.moreTapped)
      .send(.retryTapped)
      .check { state in #expect(state.phase == .loading) }
      .do { library.answer(1, 1...3) }
      .check { state in #expect(state.phase == .loaded) }
      .finish()
    #expect(library.requests.count == 1)
  }
}
