import AsyncFeedbackTestSupport
import PagingSystem
import Testing

/// The list with a source that answers requests that were taken back long ago.
@Suite struct LateAnswerTests {
  private let library = Library()

  private func makeContext() -> TestContext<Paging> {
    TestContext(
      state: .init(limit: 3), system: Paging(source: library, clock: TestClock()),
      checksPurity: true
    )
    .transient("loading", endedBy: "page") { $0.request != nil }
  }

  @Test func theAnswerThatNobodyWaitsForAnyMoreMayComeLast() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .do { library.answer(1, 1...3) }
      .send(.moreTapped)
      .send(.refreshTapped)
      .check { state in #expect(state.phase == .loading) }
      .do {
        library.answer(3, 7...9)
        library.answer(2, 4...6)
      }
      .check { state in
        #expect(state.phase == .loaded)
        #expect(state.posts.map(\.id) == [7, 8, 9])
      }
      .finish()
    #expect(
      library.requests == [
        PageRequest(number: 1, start: 0, limit: 3), PageRequest(number: 2, start: 3, limit: 3),
        PageRequest(number: 3, start: 0, limit: 3),
      ])
  }

  @Test func aLateAnswerDoesNotPassForThatToARefreshOfTheSamePage() async {
    await makeContext()
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
}
