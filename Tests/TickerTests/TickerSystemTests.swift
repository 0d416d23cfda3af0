import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing
import TickerSystem

@Suite struct TickerSystemTests {
  private let clock = TestClock()
  private let scores = ScriptedScores()

  private func context(_ source: any ScoreSource, limit: Int = 10_000) -> TestContext<Ticker> {
    TestContext(
      state: .init(), system: Ticker(source: source, limit: limit, clock: clock), clock: clock)
  }

  @Test func theLastScoreOfEachTeamIsShownTenTimesASecond() async {
    let context = context(scores)
    await context.run()
      .do {
        scores.tell("Mill", 1)
        scores.tell("Castle", 2)
        scores.tell("Mill", 3)
      }
      .check { state in #expect(state.points.isEmpty) }
      .advance(by: .milliseconds(100))
      .check { state in
        #expect(state.points == ["Mill": 3, "Castle": 2])
        #expect(state.counts.received == 3)
        #expect(state.counts.coalesced == 1)
      }
  }

  @Test func aBurstEndsWithTheLastScoreOfEveryTeam() async {
    let board = ScoreBoard(teams: 50)
    let other = ScoreBoard(teams: 50)
    let context = context(board)
    await context.run()
      .advance(by: .milliseconds(100))
      .send(.burstTapped(100_000))
      .advance(by: .milliseconds(100))
    // The same board, with the changes made before anybody listens.
    other.burst(100_000)
    let after = self.context(other)
    await after.run().advance(by: .milliseconds(100))
    #expect(context.state.points == after.state.points)
    #expect(context.state.points.values.reduce(0, +) >= 100_000)
    let counts = context.state.counts
    #expect(counts.received == 100_050)
    #expect(counts.delivered + counts.coalesced == 100_050)
    #expect(counts.dropped == 0)
    #expect(counts.highWaterMark <= 50, "no more than a score of each team ever waits")
  }

  @Test func ofMoreTeamsThanMayWaitTheNewestAreKept() async {
    let context = context(scores, limit: 2)
    await context.run()
      .do { for (number, team) in ["A", "B", "C"].enumerated() { scores.tell(team, number) } }
      .advance(by: .milliseconds(100))
      .check { state in
        #expect(state.points == ["B": 1, "C": 2])
        #expect(state.counts.dropped == 1)
      }
  }

  @Test func whatPausesIsStoppedAndGoesOnBehindTheScoreThatWasTakenLast() async {
    let context = context(scores)
    await context.run()
      .do { scores.tell("Mill", 1) }
      .advance(by: .milliseconds(100))
      .do { scores.tell("Mill", 2) }
      .send(.pauseTapped)
      .check { state in #expect(state.points == ["Mill": 1]) }
    #expect(scores.starts == [""])
    #expect(scores.stops == 1)
    await context.send(.resumeTapped)
    #expect(scores.starts == ["", "1"], "the second score was never shown")
    await context
      .do { scores.tell("Mill", 2) }
      .advance(by: .milliseconds(100))
      .check { state in
        #expect(state.points == ["Mill": 2])
        #expect(state.counts.restarts == 1)
      }
  }

  @Test func anErrorIsShownAndCanBeTriedAgain() async {
    let context = context(scores)
    await context.run()
      .do { scores.tell("Mill", 1) }
      .do { scores.end(throwing: Broken()) }
      .check { state in
        #expect(state.phase == .failed("the source is broken"))
        #expect(state.points == ["Mill": 1], "what came before it is not lost")
      }
      .send(.resumeTapped)
      .do { scores.tell("Mill", 2) }
      .advance(by: .milliseconds(100))
      .check { state in #expect(state.points == ["Mill": 2]) }
  }

  @Test func theEndOfTheScoresIsShown() async {
    let context = context(scores)
    await context.run()
      .do {
        scores.tell("Mill", 1)
        scores.end()
      }
      .check { state in
        #expect(state.phase == .ended)
        #expect(state.points == ["Mill": 1])
      }
  }

  @Test func theConnectionIsShown() async {
    let status = ConnectionStatus(phase: .waiting(.seconds(3)), reconnects: 2)
    let context = context(scores)
    await context.run()
      .do { scores.tell(status) }
      .check { state in #expect(state.connection == status) }
  }

  @Test func theLoopIsBusyUntilWhatIsAwaitedHasCome() async {
    let context = context(scores)
    await context.run().send(.scoresAwaited(2))
    #expect(context.state.isBehind)
    await context
      .do {
        scores.tell("Mill", 1)
        scores.tell("Mill", 2)
      }
      .advance(by: .milliseconds(100))
    #expect(!context.state.isBehind)
    #expect(!context.state.isLate)
  }

  @Test func whatIsAwaitedInVainIsLate() async {
    let context = context(scores)
    await context.run()
      .send(.scoresAwaited(1))
      .advance(by: .seconds(10))
      .check { state in
        #expect(state.isLate)
        #expect(!state.isBehind)
      }
  }

  private struct Broken: Error, CustomStringConvertible {
    let description = "the source is broken"
  }
}
