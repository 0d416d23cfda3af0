import AsyncFeedback
import LoopbackServer
import Testing

@testable import ServerSentEvents
@testable import TickerSystem

@Suite("Scores from a server", .timeLimit(.minutes(10))) struct WebScoresTests {
  /// Sends a score, and then nothing.
  private let held: @Sendable (Exchange) -> Void = { exchange in
    exchange.open()
    exchange.send("id: 1\nevent: score\ndata: {\"team\": \"Mill\", \"points\": 1}\n\n")
    exchange.waitForDeparture()
  }

  private func statuses(of scores: WebScores) -> Feed<ConnectionStatus, Never> {
    Feed(.newest(100)) { scores.watch($0) }
  }

  private func scores(of scores: WebScores) -> Feed<Score, any Error> {
    Feed(.newest(100)) { scores.start($0, behind: "") }
  }

  @Test func theEndOfOneWatcherIsNotThatOfAnother() async throws {
    let scores = WebScores(try ScriptedServer(scripts: []).url)
    var first: Feed<ConnectionStatus, Never>.AsyncIterator? = statuses(of: scores)
      .makeAsyncIterator()
    var second = statuses(of: scores).makeAsyncIterator()
    #expect(await first?.next()?.phase == .connecting)
    #expect(await second.next()?.phase == .connecting)
    first = nil
    let source = scores.beginSource()
    #expect(await second.next() == ConnectionStatus(phase: .connecting))
    scores.note(status(.open), of: source)
    #expect(await second.next() == ConnectionStatus(phase: .open))
  }

  @Test func whatAnEarlierSourceStillSaysIsNotTold() async throws {
    let scores = WebScores(try ScriptedServer(scripts: []).url)
    var told = statuses(of: scores).makeAsyncIterator()
    #expect(await told.next() == ConnectionStatus(phase: .connecting))
    let first = scores.beginSource()
    scores.endSource(first, status(.open, connects: 3))
    // What its task was about to say.
    scores.note(status(.open, connects: 3), of: first)
    let second = scores.beginSource()
    scores.note(status(.waiting(.seconds(1), attempt: 1), connects: 2), of: first)
    scores.endSource(first, status(.closed, connects: 3))
    scores.note(status(.open, connects: 2), of: second)
    let expected = [
      ConnectionStatus(phase: .connecting), ConnectionStatus(phase: .closed, reconnects: 2),
      ConnectionStatus(phase: .connecting, reconnects: 2),
      ConnectionStatus(phase: .open, reconnects: 3),
    ]
    for status in expected { #expect(await told.next() == status) }
  }

  @Test func theConnectionIsClosedWhenTheScoresAreLeft() async throws {
    let server = try ScriptedServer(scripts: [held, held])
    let scores = WebScores(server.url)
    var told = statuses(of: scores).makeAsyncIterator()
    for number in 0..<2 {
      for try await score in self.scores(of: scores) {
        #expect(score == Score(team: "Mill", points: 1, number: number, id: "1"))
        break
      }
      #expect(try await server.departures.entry(number) == number)
      while let status = await told.next(), status.phase != .closed {}
    }
    _ = scores.beginSource()
    #expect(await told.next() == ConnectionStatus(phase: .connecting))
  }

  private func status(
    _ state: EventSourceStatus.State, connects: Int = 1
  ) -> EventSourceStatus {
    var status = EventSourceStatus()
    status.state = state
    status.connects = connects
    return status
  }
}
