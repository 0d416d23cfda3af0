import AsyncFeedback
import AsyncFeedbackTestSupport
import Foundation
import LoopbackServer
import Testing

@testable import ServerSentEvents

@Suite("Slow consumers", .timeLimit(.minutes(10))) struct SlowConsumerTests {
  private static let limit = 1 << 16

  /// Sends events of a thousand bytes behind the last event id, for as long as the client takes them.
  private static func flood(_ exchange: Exchange, count: Int, hasIDs: Bool) {
    let last = exchange.request.lastEventID.flatMap { Int($0) } ?? 0
    if last == count { return exchange.answer(204) }
    exchange.open()
    for id in (last + 1)...count {
      let event = (hasIDs ? "id: \(id)\n" : "") + "data: \(String(repeating: "x", count: 1000))\n\n"
      if exchange.socket.write(event.utf8) < event.utf8.count { break }
    }
    exchange.waitForDeparture()
  }

  #if canImport(FoundationNetworking)
    @Test func whatIsReceivedIsCountedOnTheSpot() {
      let queue = InPlaceQueue()
      let run = Entries<Void>()
      queue.addOperation { run.note(()) }
      #expect(run.count == 1)
    }

    @Test func aServerThatSendsTooMuchIsLeftAndRepeats() async throws {
      let count = 2000
      let server = try ScriptedServer { _, exchange in
        Self.flood(exchange, count: count, hasIDs: true)
      }
      let clock = TestClock()
      let options = EventSourceOptions.plain.with {
        $0.bufferLimit = Self.limit
        // Nothing but the waits between two connections sleeps on the clock.
        $0.connectLimit = nil
      }
      let source = EventSource(server.url, options: options, clock: clock)
      let barrier = Entries<Void>()
      let reading = Task {
        var ids: [String] = []
        for try await event in source {
          if ids.isEmpty { try await barrier.entry(0) }
          ids.append(event.id)
          if ids.count == count { break }
        }
        return ids
      }
      // The client leaves by itself, while its consumer is busy.
      #expect(try await server.departures.entry(0) == 0)
      barrier.note(())
      for await status in source.statuses where status.state == .waiting(.seconds(3), attempt: 1) {
        // What was being read when the consumer got busy, and what waited for it.
        #expect(status.bytes <= 2 * Self.limit + 1 << 16)
        break
      }
      guard case .bufferFull(Self.limit) = source.status.failure else {
        Issue.record("\(String(describing: source.status.failure))")
        return
      }
      // The rest is read by a consumer that may be busy now and then as well.
      let advancing = Task {
        while try await clock.wait(limit: .seconds(300), until: { !$0.isEmpty }) {
          clock.advance(by: .seconds(3))
        }
      }
      #expect(try await reading.value == (1...count).map(String.init))
      advancing.cancel()
    }

    @Test func aServerThatSendsTooMuchWithoutIDsIsAnError() async throws {
      let server = try ScriptedServer { _, exchange in
        Self.flood(exchange, count: 100_000, hasIDs: false)
      }
      let options = EventSourceOptions.plain.with { $0.bufferLimit = Self.limit }
      let source = EventSource(server.url, options: options)
      let barrier = Entries<Void>()
      let count = Entries<Int>()
      let task = Task {
        for try await _ in source {
          if count.count == 0 { try await barrier.entry(0) }
          count.note(count.count)
        }
      }
      #expect(try await server.departures.entry(0) == 0)
      barrier.note(())
      let error = await #expect(throws: EventSourceError.self) { try await task.value }
      guard case .bufferFull(Self.limit) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      // What had come is delivered: all but the piece of 16 KiB that found no room, at least.
      #expect(count.count >= (Self.limit - 16 * 1024) / 1100)
      #expect(server.requests.count == 1)
    }
  #endif

  private func data(_ count: Int) -> Data { Data(repeating: 1, count: count) }

  private func bytes(_ intake: Intake) async -> Int? {
    if case .bytes(let data) = await intake.next() { data.count } else { nil }
  }

  @Test func aConnectionThatCanPauseIsAskedTo() async {
    let asked = Entries<Bool>()
    let intake = Intake(limit: 100, now: { .zero }, pause: { asked.note($0) })
    intake.put(data(49))
    #expect(asked.all == [])
    intake.put(data(1))
    intake.put(data(50))
    #expect(asked.all == [true])
    #expect(await bytes(intake) == 49)
    #expect(await bytes(intake) == 1)
    #expect(asked.all == [true])
    #expect(await bytes(intake) == 50)
    #expect(asked.all == [true, false])
    intake.put(data(60))
    #expect(asked.all == [true, false, true])
  }

  @Test func aConnectionThatDoesNotPauseFailsBehindWhatItDelivered() async throws {
    let intake = Intake(limit: 100, now: { .zero })
    intake.put(data(60))
    intake.put(data(40))
    intake.put(data(1))
    intake.put(data(1))
    #expect(await bytes(intake) == 60)
    #expect(await bytes(intake) == 40)
    guard case .ended(.failure(let error)) = await intake.next() else {
      Issue.record("no failure")
      return
    }
    #expect(
      error.description == """
        More came than the 100 bytes that may wait to be read. Read faster, or raise bufferLimit.
        """)
    // With ids the server repeats what was not read; without, events would be lost.
    #expect(EventSourceDecision.standard(error, lastEventID: "1") == .reconnect)
    #expect(EventSourceDecision.standard(error, lastEventID: "") == .fail)
  }

  @Test func aSinglePieceMayHaveAnySize() async {
    let intake = Intake(limit: 100, now: { .zero })
    intake.put(data(1000))
    #expect(await bytes(intake) == 1000)
    intake.put(data(1000))
    #expect(await bytes(intake) == 1000)
  }

  @Test func whatIsClosedGivesNothingAndTakesNothing() async {
    let stops = Entries<Void>()
    let intake = Intake(limit: 100, now: { .zero }, stop: { stops.note(()) })
    intake.put(data(1))
    intake.close()
    intake.close()
    #expect(stops.count == 1)
    intake.put(data(1))
    intake.end(.noContent)
    guard case .closed = await intake.next() else {
      Issue.record("not closed")
      return
    }
  }

  @Test func theFirstReasonToEndCounts() async {
    let stops = Entries<Void>()
    let intake = Intake(limit: 100, now: { .zero }, stop: { stops.note(()) })
    intake.open()
    intake.put(data(1))
    intake.end(.noContent)
    intake.end(.failure(.ended(nil)))
    // The sender is stopped at once, before anybody reads.
    #expect(stops.count == 1)
    guard case .opened = await intake.next(), await bytes(intake) == 1,
      case .ended(.noContent) = await intake.next()
    else {
      Issue.record("another order")
      return
    }
  }
}
