import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// A racy system: each policy under a thousand schedules.
@Suite struct ExploreSchedulesTests {
  private let failures = Failures()

  /// Two queries, one after the other, answered in the same second.
  private func search(_ policy: Policy) async {
    let clock = TestClock()
    let context = TestContext(state: .init(), system: Search(policy: policy, clock: clock))
    await context
      .run()
      .send(.queryChanged("a"), fileID: "App/SearchTests.swift", line: 28)
      .send(.queryChanged("ab"), fileID: "App/SearchTests.swift", line: 29)
      .advance(by: .seconds(1))
      .check { state in
        #expect(
          state.results == "results of ab",
          sourceLocation: SourceLocation(
            fileID: "App/SearchTests.swift", filePath: "SearchTests.swift", line: 31, column: 7))
      }
      .finish()
  }

  private static let course = """
    App/SearchTests.swift:31:7: Expectation failed: (state.results → "results of a") == "results of ab" (error)
    transcript:
      loop started
        started load (App/Search.swift:24)
        finished load (App/Search.swift:24)
      #1 .queryChanged("a") from App/SearchTests.swift:28
        query: "" → "a"
        started load (App/Search.swift:24)
      #2 .queryChanged("ab") from App/SearchTests.swift:29
        query: "a" → "ab"
        started load (App/Search.swift:24)
      clock: 0.0 seconds → 1.0 seconds
        answered .loaded("results of ab", of: "ab"): load (App/Search.swift:24)
        finished load (App/Search.swift:24)
      #3 .loaded("results of ab", of: "ab") from load (App/Search.swift:24)
        results: nil → "results of ab"
        answered .loaded("results of a", of: "a"): load (App/Search.swift:24)
        finished load (App/Search.swift:24)
      #4 .loaded("results of a", of: "a") from load (App/Search.swift:24)
        results: "results of ab" → "results of a"
      loop stopped
    """

  @Test func theNaiveSearchFailsWithinAThousandSchedules() async {
    let exploration = await exploreSchedules(1_000, reporter: failures.reporter(line: 7)) {
      await search(.overlapping)
    }
    #expect(exploration.hasFailed)
    #expect(failures.lines == [7])
    #expect(
      failures.messages.map(withoutNumbers) == [
        """
        schedule N of 1000 failed, that of seed N.
        exploreSchedules(1, seed: N) repeats it exactly.
        exploreSchedules(order: […]) repeats the shortest failing order found: at these \
        choices the job at that place goes, and else the one at place 0, which waits longest.
        \(Self.course)
        """
      ])
  }

  @Test func theSearchThatKeepsTheLatestNeverFails() async {
    let exploration = await exploreSchedules(1_000) { await search(.latest) }
    #expect(exploration.count == 1_000)
    #expect(!exploration.hasFailed)
  }

  @Test func theSeedAndTheOrderOfAFailureRepeatIt() async throws {
    await exploreSchedules(1_000, reporter: failures.reporter()) { await search(.overlapping) }
    let text = try #require(failures.messages.first)
    let seed = try #require(text.firstMatch(of: /seed: (\d+)/).flatMap { UInt64($0.1) })
    let order = try #require(text.firstMatch(of: /order: (\[.*?\])/)?.1)
    let places = order.matches(of: /(\d+): (\d+)/).compactMap { match in
      Int(match.1).flatMap { choice in Int(match.2).map { (choice, $0) } }
    }
    await exploreSchedules(1, seed: seed, reporter: failures.reporter()) {
      await search(.overlapping)
    }
    await exploreSchedules(order: ScheduleOrder(places), reporter: failures.reporter()) {
      await search(.overlapping)
    }
    #expect(failures.messages.count == 3)
    let repeated = failures.messages.dropFirst()
    #expect(repeated.first?.hasPrefix("schedule 1 of 1 failed, that of seed \(seed).\n") == true)
    #expect(repeated.first?.hasSuffix(Self.course) == true)
    #expect(repeated.last == "the body failed in the order \(order).\n\(Self.course)")
  }

  @Test func whatTheTestKnowsOfIsNoFailure() async {
    let exploration = await exploreSchedules(3) {
      await withKnownIssue {
        await TestContext(state: .init(), system: Sample()).run().send(.go(1)) { _ in }
      }
    }
    #expect(!exploration.hasFailed)
    #expect(exploration.count == 3 || exploration.isComplete)
  }

  @Test @MainActor func theBodyRunsWhereItsCallerDoes() async {
    await exploreSchedules(3) {
      MainActor.assertIsolated()
      await search(.latest)
    }
  }

  @Test func explorationsBesideEachOtherAreAsEachAlone() async {
    let all = (0..<4).map { _ in Failures() }
    await withTaskGroup { group in
      for failures in all {
        group.addTask {
          await exploreSchedules(1_000, reporter: failures.reporter()) {
            await search(.overlapping)
          }
        }
      }
    }
    let messages = all.map(\.messages)
    #expect(messages.allSatisfy { $0 == messages[0] && $0.count == 1 })
  }
}
