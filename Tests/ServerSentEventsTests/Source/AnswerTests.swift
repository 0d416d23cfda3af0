import AsyncFeedback
import AsyncFeedbackTestSupport
import Foundation
import LoopbackServer
import ServerSentEvents
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Answers of the server", .timeLimit(.minutes(10))) struct AnswerTests {
  private func failure(
    options: EventSourceOptions = .immediate, _ script: @escaping @Sendable (Exchange) -> Void
  ) async throws -> (error: EventSourceError?, url: URL, requests: Int) {
    let server = try ScriptedServer(scripts: [script])
    let source = EventSource(server.url, options: options)
    let error = try await Reading(source).failure()
    #expect(source.status.state == .closed)
    return (error, server.url, server.requests.count)
  }

  @Test func status204EndsTheSequence() async throws {
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.send("data: a\n\n")
      },
      { $0.answer(204) },
    ])
    let source = EventSource(server.url, options: .immediate)
    #expect(try await Reading(source).allData() == ["a"])
    #expect(server.requests.count == 2)
    #expect(source.status.state == .closed)
    #expect(source.status.connects == 1)
    #expect(source.status.attempts == 2)
  }

  @Test("other statuses are errors", arguments: [201, 400, 401, 404, 429, 500, 503])
  func otherStatusesAreErrors(status: Int) async throws {
    let (error, url, requests) = try await failure { exchange in
      exchange.answer(status, ["Content-Type: text/event-stream"], body: "data: no event\n\n")
    }
    guard case .status(status, url, retryAfter: nil) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(requests == 1)
    #expect(error?.isTransient == (status == 429 || status >= 500))
    #expect(
      error?.description == """
        The server answered with status \(status) where an event stream was asked for (\(url)). \
        \(hint(status))
        """)
  }

  private func hint(_ status: Int) -> String {
    status == 429 || status >= 500
      ? "It may pass: EventSourceDecision.persistent tries again."
      : "Check the address and what the request carries."
  }

  @Test(
    "other content types are errors",
    arguments: ["text/html", "text/event-streams", "text/event -stream", nil])
  func otherContentTypesAreErrors(type: String?) async throws {
    let (error, url, requests) = try await failure { exchange in
      exchange.answer(200, type.map { ["Content-Type: \($0)"] } ?? [], body: "data: no event\n\n")
    }
    guard case .contentType(type, url) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(requests == 1)
    #expect(
      error?.description == """
        The server answered with the content type \(type.map { "\"\($0)\"" } ?? "none") instead of \
        "text/event-stream" (\(url)). Check that the address is that of an event stream.
        """)
  }

  @Test(
    "parameters and letters of the content type do not matter",
    arguments: ["text/event-stream; charset=utf-8", "Text/Event-Stream ;charset=UTF-8"])
  func parametersOfTheContentTypeDoNotMatter(type: String) async throws {
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open(type)
        exchange.send("data: a\n\n")
      }
    ])
    #expect(try await Reading(EventSource(server.url, options: .immediate)).allData() == ["a"])
  }

  @Test("redirects are followed with all headers", arguments: [301, 302, 303, 307, 308])
  func redirectsAreFollowed(status: Int) async throws {
    let server = try ScriptedServer { number, exchange in
      switch (exchange.request.path, number) {
      case ("/events", 0...1): exchange.answer(status, ["Location: /there"])
      case ("/there", _):
        exchange.open()
        exchange.send("id: 2\ndata: a\n\n")
      default: exchange.answer(204)
      }
    }
    var request = URLRequest(url: server.url)
    request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
    request.setValue("x", forHTTPHeaderField: "X-Own")
    let source = EventSource(request, lastEventID: "1", options: .immediate)
    #expect(try await Reading(source).allData() == ["a"])
    // Each connection starts at the address that the source was given.
    #expect(server.requests.all.map(\.path) == ["/events", "/there", "/events"])
    for (request, id) in zip(server.requests.all, ["1", "1", "2"]) {
      #expect(request.method == "GET")
      #expect(request.headers["accept"] == "text/event-stream")
      #expect(request.headers["x-own"] == "x")
      #expect(request.headers["authorization"] == "Bearer token")
      #expect(request.lastEventID == id)
    }
  }

  @Test(
    "a redirect that makes a GET of a POST takes nothing of its body along", arguments: [303, 307])
  func aRedirectToAGETLeavesTheBodyBehind(status: Int) async throws {
    let server = try ScriptedServer { number, exchange in
      exchange.answer(number == 0 ? 303 : 204, ["Location: /there"])
    }
    var request = URLRequest(url: server.url)
    request.httpMethod = "POST"
    request.httpBody = Data("question".utf8)
    request.setValue("text/x-question", forHTTPHeaderField: "Content-Type")
    request.setValue("x", forHTTPHeaderField: "X-Own")
    #expect(try await Reading(EventSource(request)).allData() == [])
    let first = try await server.requests.entry(0)
    let second = try await server.requests.entry(1)
    #expect(first.headers["content-type"] == "text/x-question")
    #expect(second.headers["x-own"] == "x")
    #expect(second.method == "GET")
    #expect(second.headers["content-type"] == nil)
    #expect(second.body == "")
  }

  @Test func aRedirectToAnotherServerDoesNotTakeThePasswordAlong() async throws {
    let other = try ScriptedServer(scripts: [{ $0.answer(204) }])
    let target = other.url
    let server = try ScriptedServer(scripts: [
      { $0.answer(307, ["Location: \(target.absoluteString)"]) }
    ])
    var request = URLRequest(url: server.url)
    request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
    #expect(try await Reading(EventSource(request)).allData() == [])
    #expect(try await server.requests.entry(0).headers["authorization"] == "Bearer token")
    let second = try await other.requests.entry(0)
    #expect(second.headers["authorization"] == nil)
    #expect(second.headers["accept"] == "text/event-stream")
  }

  @Test func aRedirectBackDoesNotTakeThePasswordAlongEither() async throws {
    let home = Entries<URL>()
    let other = try ScriptedServer { _, exchange in
      exchange.answer(307, ["Location: \(home.all[0].absoluteString)"])
    }
    let server = try ScriptedServer { number, exchange in
      exchange.answer(number == 0 ? 307 : 204, ["Location: \(other.url.absoluteString)"])
    }
    home.note(server.address("back"))
    var request = URLRequest(url: server.url)
    request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
    request.setValue("x", forHTTPHeaderField: "X-Own")
    #expect(try await Reading(EventSource(request)).allData() == [])
    #expect(server.requests.all.map(\.path) == ["/events", "/back"])
    // Who is not told the password does not choose what it is used for.
    #expect(server.requests.all.map { $0.headers["authorization"] } == ["Bearer token", nil])
    #expect(server.requests.all.map { $0.headers["x-own"] } == ["x", "x"])
  }

  @Test func redirectsWithoutEndAreAnError() async throws {
    let server = try ScriptedServer { _, exchange in
      exchange.answer(302, ["Location: /events"])
    }
    let options = EventSourceOptions.plain.with { $0.decide = EventSourceDecision.once }
    let error = try await Reading(EventSource(server.url, options: options)).failure()
    guard case .network(let reason, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((reason as? URLError)?.code == .httpTooManyRedirects)
  }

  @Test func aLineOverTheLimitIsAnErrorBehindTheEventsBeforeIt() async throws {
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.send("data: a\n\ndata: far too long\n\ndata: b\n\n")
        exchange.waitForDeparture()
      }
    ])
    let options = EventSourceOptions.immediate.with { $0.limits = EventStreamLimits(line: 10) }
    let reading = Reading(EventSource(server.url, options: options))
    guard case .stream(.lineTooLong(limit: 10), server.url) = try await reading.failure() else {
      Issue.record("no error")
      return
    }
    #expect(reading.events.all.map(\.data) == ["a"])
    #expect(try await server.departures.entry(0) == 0)
  }

  @Test func aSourceThatReadsOnceEndsWithTheStream() async throws {
    let options = EventSourceOptions.plain.with { $0.decide = EventSourceDecision.once }
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.send("data: a\n\ndata: [DONE]\n\n")
      }
    ])
    let source = EventSource(server.url, options: options)
    #expect(try await Reading(source).allData() == ["a", "[DONE]"])
    #expect(server.requests.count == 1)
  }

  @Test func aPersistentSourceComesBackWhenTheServerSays() async throws {
    let clock = TestClock()
    let server = try ScriptedServer(scripts: [
      { $0.answer(503, ["Retry-After: 20"]) },
      { $0.answer(429) },
      { exchange in
        exchange.open()
        exchange.send("data: a\n\n")
      },
      { $0.answer(404) },
    ])
    let options = EventSourceOptions.plain.with { $0.decide = EventSourceDecision.persistent }
    let source = EventSource(server.url, options: options, clock: clock)
    let reading = Reading(source)
    try await clock.reach(.seconds(20))
    try await clock.reach(.seconds(23))
    try await clock.reach(.seconds(26))
    guard case .status(404, server.url, _) = try await reading.failure() else {
      Issue.record("no error")
      return
    }
    #expect(reading.events.all.map(\.data) == ["a"])
  }
}
