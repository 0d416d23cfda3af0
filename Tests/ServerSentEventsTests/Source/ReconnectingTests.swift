import AsyncFeedback
import AsyncFeedbackTestSupport
import Foundation
import LoopbackServer
import ServerSentEvents
import Testing

@Suite("Reconnecting", .timeLimit(.minutes(10))) struct ReconnectingTests {
  @Test("K10: half an event at the end of a connection is dropped, and the last id kept")
  func halfAnEventIsDropped() async throws {
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.send("id: 1\ndata: a\n\nid: 2\nevent: x\ndata: half")
      },
      { exchange in
        exchange.open()
        exchange.send("\ndata: b\n\n")
      },
    ])
    let reading = Reading(EventSource(server.url, options: .immediate))
    try await reading.task.value
    #expect(
      reading.events.all == [
        ServerSentEvent(id: "1", data: "a"), ServerSentEvent(id: "1", data: "b"),
      ])
    #expect(server.requests.all.map(\.lastEventID) == [nil, "1", "1"])
  }

  @Test func theIDOfABlockWithoutDataIsSaid() async throws {
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.send("id: 1\ndata: a\n\nid: 5\n\n")
      },
      { exchange in
        exchange.open()
        exchange.send("id\n\n")
      },
    ])
    let source = EventSource(server.url, options: .immediate)
    #expect(try await Reading(source).allData() == ["a"])
    #expect(server.requests.all.map(\.lastEventID) == [nil, "5", nil])
    #expect(source.status.lastEventID == "")
  }

  @Test func theTimeThatTheServerSaysIsWaited() async throws {
    let clock = TestClock()
    let server = try ScriptedServer(scripts: [
      { $0.open() },
      { exchange in
        exchange.open()
        exchange.send("retry: 500\n")
      },
      { $0.open() },
      { exchange in
        exchange.open()
        exchange.send("retry: 9999999999999999999999\n")
      },
    ])
    let source = EventSource(server.url, options: .plain, clock: clock)
    let reading = Reading(source)
    // Three seconds as long as the server has said nothing.
    try await clock.reach(.seconds(3))
    try await clock.reach(.milliseconds(3500))
    // It says so once for all connections.
    try await clock.reach(.milliseconds(4000))
    // A day is the most.
    try await clock.reach(.milliseconds(4000) + .seconds(86_400))
    #expect(try await reading.allData() == [])
    #expect(source.status.reconnects == 3)
  }

  @Test func theBackoffGrowsUntilSomethingComes() async throws {
    let clock = TestClock()
    let barrier = Barrier()
    let server = try ScriptedServer { number, exchange in
      switch number {
      case 0...3, 5: exchange.socket.close()
      case 4:
        exchange.open()
        exchange.send(":\n")
        barrier.pass()
      default: exchange.answer(204)
      }
    }
    let backoff = Backoff.exponential(from: .seconds(1), to: .seconds(4), jitterSeed: 7)
    let options = EventSourceOptions.plain.with { $0.backoff = backoff }
    let source = EventSource(server.url, options: options, clock: clock)
    let reading = Reading(source)
    var now = Duration.zero
    for attempt in 1...4 {
      let delay = .seconds(3) + backoff.delay(attempt)
      now += delay
      for await status in source.statuses where status.state == .waiting(delay, attempt: attempt) {
        guard case .network = status.failure else {
          Issue.record("\(String(describing: status.failure))")
          break
        }
        break
      }
      try await clock.reach(now)
    }
    barrier.open()
    for attempt in [1, 2] {
      now += .seconds(3) + backoff.delay(attempt)
      try await clock.reach(now)
    }
    #expect(try await reading.allData() == [])
    #expect(source.status.attempts == 7)
    #expect(source.status.connects == 1)
  }

  @Test func aServerThatIsNotThereIsTriedAgain() async throws {
    let clock = TestClock()
    let (socket, port) = try Socket.listening(isDeaf: true)
    defer { socket.close() }
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
    let source = EventSource(url, options: .plain, clock: clock)
    let reading = Reading(source)
    try await clock.reach(.seconds(3))
    try await clock.reach(.seconds(6))
    for await status in source.statuses where status.state == .waiting(.seconds(3), attempt: 3) {
      break
    }
    #expect(source.status.connects == 0)
    let failure = try #require(source.status.failure)
    #expect(failure.description.hasPrefix("The connection to \(url.absoluteString) failed: "))
    reading.task.cancel()
    #expect(try await reading.allData() == [])
  }

  @Test func aBrokenConnectionIsAFailureOfTheNetwork() async throws {
    let options = EventSourceOptions.plain.with { $0.decide = EventSourceDecision.once }
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.send(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000\r\n\r\n")
        exchange.send("data: a\n\ndata: ha")
      }
    ])
    let reading = Reading(EventSource(server.url, options: options))
    guard case .network(_, server.url) = try await reading.failure() else {
      Issue.record("no failure")
      return
    }
    #expect(reading.events.all.map(\.data) == ["a"])
  }

  @Test func anIterationThatBeginsLaterGoesOnBehindTheLastDeliveredEvent() async throws {
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.send("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n")
        exchange.waitForDeparture()
      },
      { exchange in
        exchange.open()
        exchange.send("id: 3\ndata: c\n\n")
      },
    ])
    let source = EventSource(server.url, options: .immediate)
    // The third has come as well, but is not delivered.
    var data: [String] = []
    for try await event in source {
      data.append(event.data)
      if data.count == 2 { break }
    }
    #expect(source.status.lastEventID == "2")
    #expect(try await server.departures.entry(0) == 0)
    #expect(try await Reading(source).allData() == ["c"])
    #expect(server.requests.all.map(\.lastEventID) == [nil, "2", "3"])
    #expect(source.status.events == 3)
  }

  @Test("the server is killed at any byte: no event is lost or doubled", arguments: 1...3)
  func theServerIsKilledAtAnyByte(seed: UInt64) async throws {
    let count = 600
    let server = try ScriptedServer { number, exchange in
      var random = SplitMix64(seed: seed &* 1_000_003 &+ UInt64(number))
      let last = exchange.request.lastEventID.flatMap { Int($0) } ?? 0
      if last == count { return exchange.answer(204) }
      var stream = "retry: 0\n\n"
      for id in (last + 1)...count {
        stream += "id: \(id)\r\nevent: n\ndata: grüße \(id)\r"
        stream += id.isMultiple(of: 3) ? "\n\r" : "data: 🎉\n\r\n"
      }
      let bytes = Array(stream.utf8)
      let end = Int.random(in: 0...min(bytes.count, 400), using: &random)
      exchange.open()
      // In pieces, so that the end comes at many places of what is read.
      let middle = Int.random(in: 0...end, using: &random)
      exchange.socket.write(bytes[..<middle])
      exchange.socket.write(bytes[middle..<end])
      if random.next().isMultiple(of: 2) { exchange.socket.reset() }
    }
    let source = EventSource(server.url, options: .immediate)
    let reading = Reading(source)
    try await reading.task.value
    #expect(reading.events.all.map(\.id) == (1...count).map(String.init))
    #expect(
      reading.events.all.map(\.data)
        == (1...count).map { $0.isMultiple(of: 3) ? "grüße \($0)" : "grüße \($0)\n🎉" })
    #expect(source.status.attempts > 50)
  }
}
