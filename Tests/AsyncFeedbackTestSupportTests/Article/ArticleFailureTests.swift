import AsyncFeedback
import AsyncFeedbackTestSupport
import Foundation
import Synchronization
import Testing

/// The failures that the article on testing shows, each with its full text.
@Suite(.unseeded) struct ArticleFailureTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context(
    held: HeldFeedbacks = .none, exhaustivity: Exhaustivity = .automatic,
    limit: Duration = .seconds(5), checksPurity: Bool = false
  ) -> TestContext<Posts> {
    failures.context(
      .init(),
      Posts { [clock] _ in
        try await clock.sleep(for: .seconds(1))
        return ["Hello"]
      }, held: held, clock: clock, limit: limit, exhaustivity: exhaustivity,
      checksPurity: checksPurity)
  }

  /// Compares the one failure with the block of the article that has this name.
  private func expectArticle(
    _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = try #require(failures.messages.first, sourceLocation: sourceLocation)
      .replacing("AsyncFeedbackTestSupportTests/Posts.swift", with: "App/Posts.swift")
      .replacing(
        /AsyncFeedbackTestSupportTests\/ArticleFailureTests\.swift:\d+/,
        with: "AppTests/PostsTests.swift:20"
      )
      .replacing(/stopped the loop at line \d+/, with: "stopped the loop at line 20")
    #expect(failures.messages.count == 1, sourceLocation: sourceLocation)
    #expect(
      withoutNumbers(text) == withoutNumbers(try Article.block(name)),
      sourceLocation: sourceLocation)
  }

  @Test func aClaimThatIsMissing() async throws {
    await context().run().send(.loadTapped) { _ in }.send(.loaded([])) { $0.request = nil }.finish()
    try expectArticle("missing claim")
  }

  @Test func aClaimOfNothing() async throws {
    await context().run().send(.loaded([])) { $0.posts = ["Hello"] }.finish()
    try expectArticle("needless claim")
  }

  @Test func aWrongClaim() async throws {
    await context().run()
      .send(.loadTapped) { state in
        state.attempts = 1
        state.request = 2
      }
      .advance(by: .seconds(1)).skip()
      .finish()
    try expectArticle("wrong claim")
  }

  @Test func anotherEvent() async throws {
    await context(exhaustivity: .on).run().send(.loadTapped).advance(by: .seconds(1))
      .receive(.loaded(["Hallo"]))
      .finish()
    try expectArticle("another event")
  }

  @Test func noEvent() async throws {
    await context().run().send(.loadTapped).receive(.loaded(["Hello"])).advance(by: .seconds(1))
      .skip()
      .finish()
    try expectArticle("no event")
  }

  @Test func answersThatWait() async throws {
    await context(exhaustivity: .on).run().send(.loadTapped).advance(by: .seconds(1))
      .send(.failed("stopped"))
      .finish()
    try expectArticle("answers that wait")
  }

  @Test func leftovers() async throws {
    await context(exhaustivity: .on).run().send(.loadTapped).advance(by: .seconds(1))
      .do { clock.advance(by: .zero) }
      .finish()
    try expectArticle("leftovers")
  }

  @Test func runsThatAreGoing() async throws {
    await context().run().send(.loadTapped).finish()
    try expectArticle("runs that are going")
  }

  @Test func aConditionThatStays() async throws {
    await context(limit: .milliseconds(10)).run().send(.loadTapped)
      .suspend(while: \.posts.isEmpty)
      .advance(by: .seconds(1)).settle()
      .finish()
    try expectArticle("a condition that stays")
  }

  @Test func noSleep() async throws {
    await context().run().send(.loadTapped)
      .sleeping(until: .init(offset: .seconds(2)))
      .advance(by: .seconds(1)).settle()
      .finish()
    try expectArticle("no sleep")
  }

  @Test func anErrorThatBecomesNoEvent() async throws {
    struct Offline: Error {}
    let feedback = Feedback<Sample>(
      .once, name: "load", fileID: "App/Posts.swift", line: 40, catch: { _ in nil }
    ) { _ async throws in
      throw Offline()
    }
    await failures.context(.init(), Sample(feedback)).run().settle().finish()
    try expectArticle("an error that becomes no event")
  }

  @Test func aRunawayLoop() async throws {
    let flip = Feedback<Sample>(.onChanged(\.n), name: "flip", fileID: "App/Posts.swift", line: 40)
    { .go(1 - $0.n) }
    await TestContext(
      state: .init(), system: Sample(flip), held: .none, clock: nil, limit: .seconds(5),
      runawayLimit: 4, exhaustivity: .automatic, checksPurity: false, reporter: failures.reporter
    ).run().settle().finish()
    try expectArticle("a runaway loop")
  }

  @Test func aReducerThatIsNotPure() async throws {
    await failures.context(.init(), Stamps(), checksPurity: true).run().send(.stamped).finish()
    try expectArticle("a reducer that is not pure")
  }

  private var place: FailureReporter {
    FailureReporter(fileID: "AppTests/SearchTests.swift", line: 20, column: 3) {
      [failures] message, place in failures.log.append((message, place.line))
    }
  }

  @Test func aScheduleThatFails() async throws {
    await exploreSchedules(1_000, reporter: place) {
      let clock = TestClock()
      let context = TestContext(state: .init(), system: Search(policy: .overlapping, clock: clock))
      await context.run()
        .send(.queryChanged("a"), fileID: "AppTests/SearchTests.swift", line: 22)
        .send(.queryChanged("ab"), fileID: "AppTests/SearchTests.swift", line: 23)
        .advance(by: .seconds(1))
        .check { state in
          #expect(
            state.results == "results of ab",
            sourceLocation: SourceLocation(
              fileID: "AppTests/SearchTests.swift", filePath: "SearchTests.swift", line: 25,
              column: 7))
        }
        .finish()
    }
    try expectArticle("a schedule that fails")
  }

  @Test func aSequenceThatFails() async throws {
    await exploreEvents(
      of: { Search(policy: .overlapping, clock: $0) }, hasOwnClock: true, from: .init(),
      events: [.queryChanged("a"), .queryChanged("ab")], advancingBy: [.seconds(1)],
      invariants: [Search.nothingStale], reporter: place)
    try expectArticle("a sequence that fails")
  }

  @Test func aStepAfterTheEnd() async throws {
    let context = context()
    context.run().finish()
    await context.send(.loadTapped)
    try expectArticle("a step after the end")
  }

  @Test func aForgottenFinish() async throws {
    var context: TestContext? = context()
    await context?.run().send(.loadTapped) { state in
      state.attempts = 1
      state.request = 1
    }
    context = nil
    try expectArticle("a forgotten finish")
  }

  @Test func anotherClock() async throws {
    let system = Posts { [clock] _ in
      try await clock.sleep(for: .seconds(1))
      return ["Hello"]
    }
    await failures.context(.init(), system, clock: TestClock()).run().send(.loadTapped)
      .advance(by: .seconds(1))
      .receive(.loaded(["Hello"]))
      .finish()
    try expectArticle("another clock")
  }

  @Test func aStuckState() async throws {
    let system = Posts { _ in [] }
    await failures.context(.init(request: 7), system, held: .all)
      .transient("loading", while: { $0.request != nil })
      .run().end("load").settle()
      .finish()
    try expectArticle("a stuck state")
  }

  @Test func aliveOthers() async throws {
    await context(held: .all).run().send(.loadTapped)
      .alive(.run("load", 2))
      .end("load").send(.failed("stopped"))
      .finish()
    try expectArticle("alive others")
  }

  @Test func nobodyToAnswer() async throws {
    await context(held: .all).run().send(.loadTapped).send(.failed("stopped"))
      .answer("load", with: .loaded([]))
      .finish()
    try expectArticle("nobody to answer")
  }
}

/// Stamps with a number that is not part of the state.
private final class Stamps: SystemProtocol {
  struct State { var stamp = 0 }
  enum Event { case stamped }

  private let number = Atomic(0)

  func reducer() -> Reducer {
    { [self] state, _ in state.stamp = number.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  func feedbacks() -> [Feedback<Stamps>] { [] }
}

/// The article on testing.
private enum Article {
  static let text = try? String(
    contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Documentation/Testing.md"), encoding: .utf8)

  /// The text of the block behind the comment `failure: NAME`.
  static func block(_ name: String) throws -> String {
    let text = try #require(text, "the article must be readable")
    let start = try #require(
      text.range(of: "<!-- failure: \(name) -->\n```text\n"), "the article must show \(name)")
    let end = try #require(text[start.upperBound...].range(of: "\n```"))
    return String(text[start.upperBound..<end.lowerBound])
  }
}
