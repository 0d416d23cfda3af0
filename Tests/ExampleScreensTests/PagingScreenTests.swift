import AsyncFeedback
import AsyncFeedbackTestSupport
import ExampleScreens
import PagingSystem
import SwiftUI
import Testing

@MainActor @Suite("The pages' screen", .timeLimit(.minutes(10)))
struct PagingScreenTests {
  /// A request that the test answers.
  final class Call: Sendable {
    let request: PageRequest
    private let answered = Signal()
    private let posts = Lock<[Post]?>(nil)

    init(_ request: PageRequest) {
      self.request = request
    }

    /// Answers with all posts that are wanted, up to one.
    func answer(upTo last: Int = .max) {
      let range = request.start..<max(min(request.start + request.limit, last), request.start)
      let page = range.map { Post(id: $0, title: "post \($0)") }
      posts.withLock { $0 = page }
      answered.give()
    }

    func fail() {
      answered.give()
    }

    func result() async throws -> [Post] {
      guard await answered.wait() == .given else { throw CancellationError() }
      guard let posts = posts.withLock({ $0 }) else { throw PageError("out of order") }
      return posts
    }
  }

  struct Source: PostSource {
    let calls = AsyncStream.makeStream(of: Call.self, bufferingPolicy: .bufferingOldest(64))

    @concurrent func posts(for request: PageRequest) async throws -> [Post] {
      let call = Call(request)
      calls.continuation.yield(call)
      return try await call.result()
    }

    func next() async throws -> Call {
      for await call in calls.stream { return call }
      throw CancellationError()
    }
  }

  private let source = Source()
  private let clock = TestClock()

  private func screen() -> Host {
    Host(visibleRows: 5) { [source, clock] in
      PagingScreen(limit: 10, system: Paging(source: source, clock: clock))
    }
  }

  private func titles(_ range: Range<Int>) -> [String] {
    range.map { "post \($0)" }
  }

  @Test func aPersonScrollsAndMoreIsLoaded() async throws {
    let host = screen()
    await host.wait(for: "…")
    try await source.next().answer()
    await host.wait(for: "post 0")
    #expect(host.lines == titles(0..<5))
    try host.scroll(by: 4)
    #expect(host.lines == titles(4..<9))
    try host.scroll(by: 100)
    await host.wait(for: "…")
    let second = try await source.next()
    #expect(second.request.start == 10)
    second.answer(upTo: 13)
    await host.wait(for: "post 10")
    try host.scroll(by: 100)
    #expect(host.lines == titles(9..<13) + ["The end"])
  }

  @Test func aPageHasTwentyPostsIfNothingElseIsSaid() async throws {
    let host = Host { [source, clock] in
      PagingScreen(system: Paging(source: source, clock: clock))
    }
    #expect(try await source.next().request.limit == 20)
    withExtendedLifetime(host) {}
  }

  @Test func aPersonTriesAgain() async throws {
    let host = screen()
    try await source.next().fail()
    await host.wait(for: "out of order")
    try host.tap("Try again")
    #expect(host.lines == ["…"])
    try await source.next().answer()
    await host.wait(for: "post 0")
    try host.scroll(by: 100)
    try await source.next().fail()
    try host.scroll(by: 100)
    await host.wait(for: "out of order")
    try host.scroll(by: 100)
    #expect(host.lines == titles(6..<10) + ["out of order", "[Try again]"])
    try host.tap("Try again")
    try await source.next().answer()
    await host.wait(for: "post 10")
  }

  @Test func aPersonPullsToRefresh() async throws {
    let host = screen()
    try await source.next().answer()
    await host.wait(for: "post 0")
    let refresh = Task { try await host.pullToRefresh() }
    let call = try await source.next()
    #expect(call.request.start == 0)
    #expect(host.shows("post 0"))
    call.answer(upTo: 2)
    try await refresh.value
    #expect(host.lines == ["post 0", "post 1", "The end"])
  }

  @Test func aPageThatDoesNotFillTheScreenIsFollowedByTheNext() async throws {
    let host = Host(visibleRows: 20) { [source, clock] in
      PagingScreen(limit: 10, system: Paging(source: source, clock: clock))
    }
    try await source.next().answer()
    try await source.next().answer()
    await host.wait(for: "post 18")
    // A refresh leaves one page, all of which was on the screen already.
    let refresh = Task { try await host.pullToRefresh() }
    let first = try await source.next()
    #expect(first.request.start == 0)
    first.answer()
    try await refresh.value
    let second = try await source.next()
    #expect(second.request.start == 10)
    second.answer(upTo: 12)
    await host.wait { host.lines == titles(0..<12) + ["The end"] }
  }

  @Test func whatWasCutOffIsLoadedWhenThePersonComesBack() async throws {
    let host = screen()
    _ = try await source.next()
    host.cover()
    host.uncover()
    #expect(host.lines == ["…"])
    try await source.next().answer()
    await host.wait(for: "post 0")
    host.cover()
    host.uncover()
    #expect(host.lines == titles(0..<5))
    try host.scroll(by: 100)
    #expect(try await source.next().request.start == 10)
  }
}
