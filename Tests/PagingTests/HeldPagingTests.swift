import AsyncFeedback
import AsyncFeedbackTestSupport
import PagingSystem
import Testing

/// The list with its requests held: nothing stands in for the source, which is never asked.
@Suite struct HeldPagingTests {
  private let posts = (1...3).map { Post(id: $0, title: "post \($0)") }

  private func makeContext() -> TestContext<Paging> {
    // The time limit around a request stays real, so its clock has to be the test's.
    TestContext(
      state: .init(limit: 3), system: Paging(source: Catalogue(), clock: TestClock()), held: .all)
  }

  @Test func aListThatFailsIsLoadedWhenItIsTriedAgain() async {
    await makeContext()
      .run()
      .alive()
      .send(.loadTapped)
      .check { #expect($0.phase == .loading) }
      .alive(.run("page", PageRequest(number: 1, start: 0, limit: 3)))
      .fail("page", with: PageError("offline"))
      .check { #expect($0.phase == .failed("offline")) }
      .alive()
      .send(.retryTapped)
      .check { #expect($0.phase == .loading) }
      .alive(.run("page", PageRequest(number: 2, start: 0, limit: 3)))
      .answer("page", with: .pageLoaded(posts))
      .check {
        #expect($0.phase == .loaded)
        #expect($0.posts == posts)
      }
      .alive()
      .finish()
  }

  @Test func aRefreshTakesThePlaceOfThePageBeforeIt() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .send(.refreshTapped)
      .alive(.run("page", PageRequest(number: 2, start: 0, limit: 3)))
      .answer("page", with: .pageLoaded([]))
      .check { #expect($0.phase == .empty) }
      .finish()
  }
}
