import AsyncFeedbackTestSupport
import ExampleScreens
import SwiftUI
import Testing
import TickerSystem

@MainActor @Suite("The ticker's screen", .timeLimit(.minutes(10)))
struct TickerScreenTests {
  private let clock = TestClock()

  private func screen(rows: Int = 3) -> Host {
    Host { [clock] in
      TickerScreen(rows: rows, system: Ticker(source: ScoreBoard(teams: 5, seed: 1), clock: clock))
    }
  }

  /// Lets the batch that is being collected be handed on.
  private func advance() async throws {
    // The clock is slept on by the batch, and by the feedback that waits for scores to come.
    let soon = clock.now.advanced(by: .seconds(1))
    #expect(try await clock.wait(limit: patience) { $0.contains { $0.deadline < soon } })
    clock.advance(by: .milliseconds(100))
  }

  private func leaders(_ host: Host) -> [Int] {
    host.lines.dropFirst(3).compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
  }

  @Test func aPersonFollowsTheScores() async throws {
    let host = screen()
    #expect(host.lines == ["Rows 3 -/+", "[Pause]", "[Burst]"])
    try await advance()
    await host.wait { host.lines.count == 6 }
    #expect(leaders(host) == [0, 0, 0])
    try host.step("Rows 3", by: 1)
    #expect(host.lines.count == 7)
    try host.tap("Burst")
    try await advance()
    await host.wait { leaders(host).first != 0 }
    let scores = leaders(host)
    #expect(scores == scores.sorted(by: >))
    #expect(scores.count == 4)
  }

  @Test func aPersonChoosesNoneToTwentyRows() async throws {
    let few = screen(rows: 1)
    try few.step("Rows 1", by: -1)
    await few.wait(for: "Rows 0 -/+")
    try few.step("Rows 0", by: -1)
    #expect(few.lines.first == "Rows 0 -/+")
    let many = screen(rows: 19)
    try many.step("Rows 19", by: 1)
    await many.wait(for: "Rows 20 -/+")
    try many.step("Rows 20", by: 1)
    #expect(many.lines.first == "Rows 20 -/+")
  }

  @Test func aPersonPausesAndResumes() async throws {
    let host = screen()
    try await advance()
    await host.wait { host.lines.count == 6 }
    try host.tap("Pause")
    #expect(host.shows("[Resume]"))
    #expect(throws: NotPossible.self) { try host.tap("Burst") }
    #expect(leaders(host) == [0, 0, 0])
    try host.tap("Resume")
    try host.tap("Burst")
    try await advance()
    await host.wait { leaders(host).first != 0 }
  }

  @Test func theScoresAreFollowedWhenThePersonComesBack() async throws {
    let host = screen()
    try await advance()
    await host.wait { host.lines.count == 6 }
    host.cover()
    host.uncover()
    #expect(leaders(host) == [0, 0, 0])
    try host.tap("Burst")
    try await advance()
    await host.wait { leaders(host).first != 0 }
  }
}
