import AsyncFeedback
import AsyncFeedbackTestSupport
import Foundation
import LoopbackServer
import ServerSentEvents
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Connecting", .timeLimit(.minutes(10))) struct ConnectingTests {
  @Test func aStreamIsAskedForWithTheHeadersOfTheStandard() async throws {
    let server = try ScriptedServer(scripts: [{ $0.answer(204) }])
    #expect(try await Reading(EventSource(server.url)).allData() == [])
    let request = try await server.requests.entry(0)
    #expect(request.method == "GET")
    #expect(request.path == "/events")
    #expect(request.headers["accept"] == "text/event-stream")
    #expect(request.headers["cache-control"] == "no-store")
    #expect(request.lastEventID == nil)
  }

  @Test func theRequestKeepsItsMethodItsHeadersAndItsBody() async throws {
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.send("id: 1\ndata: a\n\n")
      }
    ])
    var request = URLRequest(url: server.url)
    request.httpMethod = "POST"
    request.httpBody = Data("question".utf8)
    request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
    request.setValue("text/event-stream, */*;q=0.1", forHTTPHeaderField: "Accept")
    let source = EventSource(request, lastEventID: "grüße", options: .immediate)
    #expect(try await Reading(source).allData() == ["a"])
    for (index, id) in ["grüße", "1"].enumerated() {
      let request = try await server.requests.entry(index)
      #expect(request.method == "POST")
      #expect(request.body == "question")
      #expect(request.headers["authorization"] == "Bearer token")
      #expect(request.headers["accept"] == "text/event-stream, */*;q=0.1")
      #expect(request.lastEventID == id)
    }
  }

  @Test func eachConnectionHasARequestOfItsOwn() async throws {
    let server = try ScriptedServer(scripts: [{ $0.open() }, { $0.open() }])
    let made = Entries<Int>()
    let source = EventSource(options: .immediate) {
      made.note(made.count)
      var request = URLRequest(url: server.url)
      request.setValue("token \(made.count)", forHTTPHeaderField: "Authorization")
      return request
    }
    #expect(try await Reading(source).allData() == [])
    let tokens = server.requests.all.map { $0.headers["authorization"] }
    #expect(tokens == ["token 1", "token 2", "token 3"])
  }

  @Test func aRequestThatCannotBeMadeIsAnError() async throws {
    struct NoToken: Error {}
    let source = EventSource { throw NoToken() }
    let error = try #require(try await Reading(source).failure())
    guard case .notStarted(let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason is NoToken)
    #expect(error.description == "There was no connection to try: NoToken().")
    #expect(source.status.state == .closed)
  }

  @Test func nothingIsConnectedBeforeAnEventIsAskedFor() async throws {
    let server = try ScriptedServer(scripts: [])
    let source = EventSource(server.url)
    _ = source.makeAsyncIterator()
    #expect(source.status.state == .idle)
    #expect(try await source.makeAsyncIterator().next() == nil)
    #expect(source.status.attempts == 1)
    #expect(server.requests.count == 1)
  }

  @Test("K13: an event is delivered before the next is sent")
  func anEventIsDeliveredBeforeTheNextIsSent() async throws {
    let barrier = Barrier()
    let server = try ScriptedServer(scripts: [
      held("data: a\r\n\r", behind: barrier, "\ndata: b\n\n")
    ])
    let reading = Reading(EventSource(server.url))
    #expect(try await reading.data(0) == "a")
    barrier.open()
    #expect(try await reading.data(1) == "b")
    reading.task.cancel()
    #expect(try await server.departures.entry(0) == 0)
  }

  @Test func aStreamIsOpenBeforeItsFirstByte() async throws {
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.waitForDeparture()
      }
    ])
    let source = EventSource(server.url)
    let reading = Reading(source)
    for await status in source.statuses where status.state == .open { break }
    #expect(source.status.connects == 1)
    reading.task.cancel()
    #expect(try await reading.allData() == [])
  }

  @Test func chunkedTransferIsReadAsItComes() async throws {
    let barrier = Barrier()
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.send(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        exchange.send("9\r\ndata: a\n\n\r\n")
        barrier.pass()
        exchange.send("5\r\ndata:\r\n4\r\n b\n\n\r\n0\r\n\r\n")
      }
    ])
    let reading = Reading(EventSource(server.url, options: .immediate))
    #expect(try await reading.data(0) == "a")
    barrier.open()
    #expect(try await reading.allData() == ["a", "b"])
  }

  @Test func theIsolationOfTheConsumerIsKept() async throws {
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.send("data: a\n\ndata: b\n\n")
      }
    ])
    try await readOnMain(EventSource(server.url, options: .immediate))
  }

  @MainActor private func readOnMain(_ source: EventSource) async throws {
    var data: [String] = []
    for try await event in source {
      MainActor.assertIsolated()
      data.append(event.data)
    }
    #expect(data == ["a", "b"])
  }
}
