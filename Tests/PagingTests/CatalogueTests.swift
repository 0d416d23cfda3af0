import AsyncFeedbackTestSupport
import PagingSystem
import Testing

@Suite struct CatalogueTests {
  private let clock = TestClock()

  private func outcomes(seed: UInt64, rate: Double) async -> [Bool] {
    let catalogue = Catalogue(seed: seed, latency: .zero, failureRate: rate, clock: TestClock())
    var outcomes: [Bool] = []
    for number in 1...200 {
      let posts = try? await catalogue.posts(for: PageRequest(number: number, start: 0, limit: 1))
      outcomes.append(posts != nil)
    }
    return outcomes
  }

  @Test func holdsFiveHundredDifferentPosts() {
    #expect(Catalogue.posts.map(\.id) == Array(1...500))
    #expect(Set(Catalogue.posts.map(\.title)).count == 500)
  }

  @Test func cutsItsPagesAtTheEnd() async throws {
    let catalogue = Catalogue(latency: .zero, clock: TestClock())
    let last = try await catalogue.posts(for: PageRequest(number: 1, start: 490, limit: 20))
    #expect(last.map(\.id) == Array(491...500))
    let beyond = try await catalogue.posts(for: PageRequest(number: 2, start: 500, limit: 20))
    #expect(beyond.isEmpty)
  }

  @Test func failsAsOftenAsItIsToldAndTheSameWayForTheSameSeed() async {
    #expect(await outcomes(seed: 1, rate: 0).allSatisfy { $0 })
    #expect(await !outcomes(seed: 1, rate: 1).contains(true))
    let some = await outcomes(seed: 1, rate: 0.25)
    #expect((25...75).contains(some.count { !$0 }))
    #expect(await outcomes(seed: 1, rate: 0.25) == some)
    #expect(await outcomes(seed: 2, rate: 0.25) != some)
  }

  // MARK: In the list

  private func makeContext(failureRate: Double = 0) -> TestContext<Paging> {
    let catalogue = Catalogue(latency: .seconds(2), failureRate: failureRate, clock: clock)
    return TestContext(
      state: .init(limit: 2), system: Paging(source: catalogue, clock: clock), clock: clock,
      checksPurity: true
    )
    .transient("loading", endedBy: "page") { $0.phase == .loading }
  }

  @Test func takesItsTimeOnTheClockItIsGiven() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .advance(by: .seconds(1))
      .check { state in #expect(state.phase == .loading) }
      .advance(by: .seconds(1))
      .check { state in
        #expect(state.posts.map(\.title) == ["A river finds the tide", "The clerk finds two keys"])
      }
      .finish()
  }

  @Test func saysWhyThereIsNoPage() async {
    await makeContext(failureRate: 1)
      .run()
      .send(.loadTapped)
      .advance(by: .seconds(2))
      .check { state in #expect(state.phase == .failed("the catalogue is out of order")) }
      .finish()
  }

  @Test func stopsWhenItsPageIsNotWantedAnyMore() async {
    await makeContext()
      .run()
      .send(.loadTapped)
      .sleeping(until: .init(offset: .seconds(2)))
      .advance(by: .seconds(1))
      .send(.refreshTapped)
      .sleeping(until: .init(offset: .seconds(3)))
      .do { #expect(!clock.isSleeping(until: .init(offset: .seconds(2)))) }
      .advance(by: .seconds(2))
      .check { state in #expect(state.phase == .loaded) }
      .finish()
  }
}
