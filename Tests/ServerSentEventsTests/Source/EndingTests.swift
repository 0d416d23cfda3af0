import AsyncFeedback
import AsyncFeedbackTestSupport
import Foundation
import LoopbackServer
import ServerSentEvents
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Ending", .timeLimit(.minutes(10))) struct EndingTests {
  private let two = held("id: 1\ndata: a\n\ndata: b\n\n")

  @Test func cancellationEndsAnOpenStream() async throws {
    let server = try ScriptedServer(scripts: [two])
    let source = EventSource(server.url)
    let reading = Reading(source)
    #expect(try await reading.data(1) == "b")
    reading.task.cancel()
    #expect(try await reading.allData() == ["a", "b"])
    #expect(source.status.state == .closed)
    #expect(try await server.departures.entry(0) == 0)
    #expect(server.requests.count == 1)
  }

  @Test func cancellationEndsAConnectionThatIsNotAnswered() async throws {
    let server = try ScriptedServer(scripts: [{ $0.waitForDeparture() }])
    let source = EventSource(server.url)
    let reading = Reading(source)
    _ = try await server.requests.entry(0)
    reading.task.cancel()
    #expect(try await reading.allData() == [])
    #expect(try await server.departures.entry(0) == 0)
  }

  @Test func cancellationEndsTheWaitForTheNextConnection() async throws {
    let clock = TestClock()
    let server = try ScriptedServer(scripts: [{ $0.open() }])
    let source = EventSource(server.url, options: .plain, clock: clock)
    let reading = Reading(source)
    #expect(
      try await clock.wait(limit: .seconds(300)) {
        $0.contains { $0.deadline.offset == .seconds(3) }
      })
    reading.task.cancel()
    #expect(try await reading.allData() == [])
    #expect(source.status.state == .closed)
    #expect(clock.sleepers.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test func cancellationWhileTheRequestIsMadeIsNoError() async throws {
    let asked = Entries<Void>()
    let clock = TestClock()
    let source = EventSource {
      asked.note(())
      // Nobody moves the clock: only the cancellation ends this.
      try await clock.sleep(for: .seconds(600))
      return URLRequest(url: URL(fileURLWithPath: "/"))
    }
    let reading = Reading(source)
    _ = try await asked.entry(0)
    reading.task.cancel()
    #expect(try await reading.allData() == [])
    #expect(source.status.state == .closed)
  }

  @Test func aRequestThatIsMadeInVainIsNotSent() async throws {
    let asked = Entries<Void>()
    let gate = Entries<Void>()
    let sessions = Entries<Void>()
    let server = try ScriptedServer(scripts: [])
    let options = EventSourceOptions.plain.with {
      $0.configuration = {
        sessions.note(())
        return .ephemeral
      }
    }
    let source = EventSource(options: options) {
      asked.note(())
      // Goes on in spite of the cancellation.
      while gate.count == 0 { _ = try? await Task { try await gate.entry(0) }.value }
      return URLRequest(url: server.url)
    }
    let reading = Reading(source)
    _ = try await asked.entry(0)
    reading.task.cancel()
    gate.note(())
    #expect(try await reading.allData() == [])
    #expect(sessions.count == 0)
    #expect(server.requests.count == 0)
    #expect(source.status.state == .closed)
  }

  @Test func nothingIsDeliveredAfterTheCancellation() async throws {
    let server = try ScriptedServer(scripts: [two])
    let source = EventSource(server.url)
    let isRead = Entries<String?>()
    let barrier = Entries<Void>()
    let task = Task {
      let iterator = source.makeAsyncIterator()
      isRead.note(try await iterator.next()?.data)
      // The second event has come with the first.
      try? await barrier.entry(0)
      isRead.note(try await iterator.next()?.data)
      isRead.note(try await iterator.next()?.data)
    }
    #expect(try await isRead.entry(0) == "a")
    task.cancel()
    barrier.note(())
    try await task.value
    #expect(isRead.all == ["a", nil, nil])
    #expect(source.status.events == 1)
    #expect(try await server.departures.entry(0) == 0)
  }

  @Test func aTaskThatIsCancelledBeforeItBeginsDoesNotConnect() async throws {
    let server = try ScriptedServer(scripts: [two])
    let source = EventSource(server.url)
    let event = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try? await source.makeAsyncIterator().next()
    }.value
    #expect(event == nil)
    #expect(source.status.attempts == 0)
    #expect(source.status.state == .closed)
  }

  @Test func aBreakClosesTheConnection() async throws {
    let server = try ScriptedServer(scripts: [two])
    let source = EventSource(server.url)
    for try await event in source {
      #expect(event.data == "a")
      break
    }
    #expect(source.status.state == .closed)
    #expect(try await server.departures.entry(0) == 0)
    #expect(server.requests.count == 1)
  }

  @Test func anErrorOfTheConsumerClosesTheConnection() async throws {
    struct Enough: Error {}
    let server = try ScriptedServer(scripts: [two])
    let source = EventSource(server.url)
    await #expect(throws: Enough.self) {
      for try await _ in source { throw Enough() }
    }
    #expect(try await server.departures.entry(0) == 0)
  }

  @Test func aStreamOfAFeedbackEndsWithItsKey() async throws {
    let server = try ScriptedServer(scripts: [two, two])
    let context = Context(state: .init(url: server.url), system: Following(), executor: .background)
    let running = context.start()
    #expect(try await server.requests.entry(0).path == "/events")
    for await data in context.values(of: \.data) where data == ["a", "b"] { break }
    context.send(.addressChanged(nil))
    #expect(try await server.departures.entry(0) == 0)
    context.send(.addressChanged(server.address("other")))
    #expect(try await server.requests.entry(1).path == "/other")
    running.stop()
    #expect(try await server.departures.entry(1) == 1)
  }

  private struct Following: SystemProtocol {
    struct State: Sendable {
      var url: URL?
      var data: [String] = []
    }

    enum Event: Sendable {
      case addressChanged(URL?)
      case received(String)
    }

    func reducer() -> Reducer {
      { state, event in
        switch event {
        case .addressChanged(let url): state.url = url
        case .received(let data): state.data.append(data)
        }
      }
    }

    func feedbacks() -> [Feedback<Self>] {
      Feedback.stream(\.url) { url in
        EventSource(url)
      } event: { event in
        .received(event.data)
      }
    }
  }

  @Test func whatAConnectionHoldsIsReleasedWithIt() async throws {
    let released = Entries<Void>()
    let server = try ScriptedServer(scripts: [two])
    do {
      let source = EventSource(server.url, clock: WitnessClock(Witness { released.note(()) }))
      for try await _ in source { break }
    }
    _ = try await released.entry(0)
    #expect(try await server.departures.entry(0) == 0)
  }

  @Test func theStatusesEndWithTheSource() async throws {
    let server = try ScriptedServer(scripts: [])
    var source: EventSource? = EventSource(server.url)
    let statuses = try #require(source?.statuses)
    var iterator = statuses.makeAsyncIterator()
    #expect(await iterator.next()?.state == .idle)
    source = nil
    #expect(await iterator.next() == nil)
  }

  @Test func twoHundredConnectionsAreClosedOnceEach() async throws {
    let count = 200
    let server = try ScriptedServer { _, exchange in
      exchange.open()
      if exchange.number.isMultiple(of: 2) { exchange.send("data: a\n\n") }
      exchange.waitForDeparture()
    }
    let released = Entries<Void>()
    for number in 0..<count {
      let clock = WitnessClock(Witness { released.note(()) })
      let source = EventSource(server.url, clock: clock)
      let reading = Reading(source)
      if number.isMultiple(of: 2) {
        _ = try await reading.data(0)
      } else {
        _ = try await server.requests.entry(number)
      }
      reading.task.cancel()
      try await reading.task.value
    }
    _ = try await server.departures.entry(count - 1)
    _ = try await released.entry(count - 1)
    #expect(server.departures.all.sorted() == Array(0..<count))
    #expect(server.requests.count == count)
  }
}

/// Says when it is gone.
private final class Witness: Sendable {
  private let report: @Sendable () -> Void

  init(_ report: @escaping @Sendable () -> Void) {
    self.report = report
  }

  deinit {
    report()
  }
}

/// The continuous clock, with a witness of how long it is held.
private struct WitnessClock: Clock {
  private let witness: Witness
  private let clock = ContinuousClock()

  init(_ witness: Witness) {
    self.witness = witness
  }

  var now: ContinuousClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
