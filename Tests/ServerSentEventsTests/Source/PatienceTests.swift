import AsyncFeedback
import AsyncFeedbackTestSupport
import Foundation
import LoopbackServer
import Testing

@testable import ServerSentEvents

@Suite("Limits of time", .timeLimit(.minutes(10))) struct PatienceTests {
  @Test func aServerThatDoesNotAnswerIsGivenUp() async throws {
    let clock = TestClock()
    let server = try ScriptedServer(scripts: [
      { $0.waitForDeparture() },
      { exchange in
        exchange.open()
        exchange.send("data: a\n\n")
      },
    ])
    let source = EventSource(server.url, options: .plain, clock: clock)
    let reading = Reading(source)
    _ = try await server.requests.entry(0)
    try await clock.reach(.seconds(30))
    #expect(try await server.departures.entry(0) == 0)
    for await status in source.statuses where status.state == .waiting(.seconds(3), attempt: 1) {
      #expect(
        status.failure?.description == """
          The server did not answer within 30.0 seconds (\(server.url)). If it is only slow, raise \
          connectLimit.
          """)
      break
    }
    try await clock.reach(.seconds(33))
    #expect(try await reading.data(0) == "a")
    try await clock.reach(.seconds(36))
    #expect(try await reading.allData() == ["a"])
  }

  @Test func anOpenStreamMayBeQuietForAnyTime() async throws {
    let clock = TestClock()
    let barrier = Barrier()
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        barrier.pass()
        exchange.send("data: a\n\n")
        exchange.waitForDeparture()
      }
    ])
    let source = EventSource(server.url, options: .plain, clock: clock)
    let reading = Reading(source)
    for await status in source.statuses where status.state == .open { break }
    // The limit of the opening sleeps no more.
    #expect(try await clock.wait { $0.isEmpty })
    clock.advance(by: .seconds(86_400))
    barrier.open()
    #expect(try await reading.data(0) == "a")
    reading.task.cancel()
  }

  @Test func aStreamThatIsSilentForTooLongIsGivenUp() async throws {
    let clock = TestClock()
    let barrier = Barrier()
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        barrier.pass()
        exchange.send(":\nid: 1\ndata: a\n\n")
        exchange.waitForDeparture()
      }
    ])
    let options = EventSourceOptions.plain.with { $0.silenceLimit = .seconds(60) }
    let source = EventSource(server.url, options: options, clock: clock)
    let reading = Reading(source)
    for await status in source.statuses where status.state == .open { break }
    #expect(try await clock.wait { $0.map(\.deadline.offset) == [.seconds(60)] })
    clock.advance(by: .seconds(40))
    barrier.open()
    #expect(try await reading.data(0) == "a")
    try await clock.reach(.seconds(60))
    try await clock.reach(.seconds(100))
    #expect(try await server.departures.entry(0) == 0)
    try await clock.reach(.seconds(103))
    #expect(try await reading.allData() == ["a"])
    #expect(try await server.requests.entry(1).lastEventID == "1")
    #expect(
      source.status.failure?.description == """
        Nothing came for 60.0 seconds on the event stream (\(server.url)). Let the server send a comment \
        from time to time, or raise silenceLimit.
        """)
  }

  @Test func whatWaitsToBeReadIsNotSilence() async {
    let clock = TestClock()
    let intake = Intake(limit: 100, now: { clock.now.offset })
    clock.advance(by: .seconds(1))
    intake.put(Data([1]))
    clock.advance(by: .seconds(2))
    // As long as the consumer is busy, nothing is to be said against the server.
    #expect(intake.heard == nil)
    _ = await intake.next()
    #expect(intake.heard == .seconds(3))
    clock.advance(by: .seconds(4))
    intake.open()
    #expect(intake.heard == .seconds(7))
  }

  @Test func aClockThatEndsIsAnError() async throws {
    var clock: TestClock? = TestClock()
    let server = try ScriptedServer(scripts: [{ $0.open() }])
    let source = EventSource(server.url, options: .plain, clock: UnheldClock(clock))
    let reading = Reading(source)
    for await status in source.statuses {
      if case .waiting = status.state { break }
    }
    #expect(try await clock?.wait { !$0.isEmpty } == true)
    clock = nil
    guard case .notStarted(let reason) = try await reading.failure() else {
      Issue.record("no error")
      return
    }
    #expect(reason is TestClockError)
  }
}

/// A clock that does not keep the clock of the test.
private struct UnheldClock: Clock {
  weak let clock: TestClock?

  init(_ clock: TestClock?) {
    self.clock = clock
  }

  var now: TestClock.Instant { clock?.now ?? .zero }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    // Given up by the call, see `TestClock.sleep`.
    try await clock?.sleep(until: deadline, tolerance: tolerance)
  }
}
