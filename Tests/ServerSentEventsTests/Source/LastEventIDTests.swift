import AsyncFeedback
import AsyncFeedbackTestSupport
import Foundation
import LoopbackServer
import ServerSentEvents
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The last event id", .timeLimit(.minutes(10))) struct LastEventIDTests {
  /// The id after the first event, which is also the one that the next iteration says.
  private func id(after text: String) async throws -> String {
    let server = try ScriptedServer(scripts: [held(text)])
    let source = EventSource(server.url, options: .immediate)
    for try await event in source {
      #expect(event.data == "a")
      break
    }
    let id = source.status.lastEventID
    #expect(try await Reading(source).allData() == [])
    #expect(server.requests.all.map(\.lastEventID) == [nil, id.isEmpty ? nil : id])
    return id
  }

  @Test("K6: a block without data counts as soon as the events before it are delivered")
  func aBlockWithoutDataCounts() async throws {
    #expect(try await id(after: "id: 1\ndata: a\n\nid: 5\n\n") == "5")
    #expect(try await id(after: "id: 1\ndata: a\n\nid: 5\nevent: x\n\nid: 6\n\n") == "6")
    #expect(try await id(after: "id: 1\ndata: a\n\nid\n\n") == "")
    // Its end has to have come.
    #expect(try await id(after: "id: 1\ndata: a\n\nid: 5\n") == "1")
    // What stands in front of an event that was not delivered may be needed to get that event again.
    #expect(try await id(after: "id: 1\ndata: a\n\nid: 5\n\nid: 6\ndata: b\n\n") == "1")
  }

  @Test func anEventThatHasComeCountsWhenItIsDelivered() async throws {
    let events = ["id: 1\ndata: a\n\n", "id: 2\ndata: b\n\n", "id: 3\ndata: c\n\n"]
    let server = try ScriptedServer(scripts: [
      { exchange in
        // All come at once, and then the connection is gone.
        exchange.open()
        exchange.send(events.joined())
      },
      { exchange in
        exchange.open()
        exchange.send(events[1] + events[2])
      },
    ])
    let source = EventSource(server.url, options: .immediate)
    for try await event in source {
      #expect(event.id == "1")
      break
    }
    #expect(source.status.lastEventID == "1")
    #expect(try await Reading(source).allData() == ["b", "c"])
    #expect(server.requests.all.map(\.lastEventID) == [nil, "1", "3"])
  }

  @Test func anEventThatIsReadButNotDeliveredDoesNotCount() async throws {
    let barrier = Barrier()
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        barrier.pass()
        exchange.send("id: 1\ndata: a\n\n")
        exchange.waitForDeparture()
      },
      { exchange in
        exchange.open()
        exchange.send("id: 1\ndata: a\n\n")
      },
    ])
    let source = EventSource(server.url, options: .immediate)
    let executor = DeterministicExecutor()
    let task = Task(executorPreference: executor) {
      var data: [String] = []
      for try await event in source { data.append(event.data) }
      return data
    }
    while source.status.state != .open {
      guard case .given = await executor.waitForJob(limit: .seconds(300)) else { break }
      executor.runUntilIdle()
    }
    barrier.open()
    guard case .given = await executor.waitForJob(limit: .seconds(300)) else {
      Issue.record("the event has not come")
      return
    }
    // The consumer has the event in hand, and has not run yet.
    task.cancel()
    executor.runUntilIdle()
    #expect(try await task.value == [])
    #expect(source.status.bytes > 0)
    #expect(source.status.events == 0)
    #expect(source.status.lastEventID == "")
    #expect(try await Reading(source).allData() == ["a"])
    #expect(server.requests.all.map(\.lastEventID) == [nil, nil, "1"])
  }

  @Test func anIterationGoesOnBehindWhatIsTheLastEventWhenItConnects() async throws {
    let barrier = Barrier()
    let server = try ScriptedServer(scripts: [
      held("id: 1\ndata: a\n\n", behind: barrier, "id: 2\ndata: b\n\n")
    ])
    let requests = Entries<Void>()
    let gate = Entries<Void>()
    let source = EventSource {
      requests.note(())
      if requests.count == 3 { _ = try await gate.entry(0) }
      return URLRequest(url: server.url)
    }
    let late = source.makeAsyncIterator()
    let first = source.makeAsyncIterator()
    #expect(try await first.next()?.data == "a")
    #expect(try await late.next() == nil)
    #expect(server.requests.all.map(\.lastEventID) == [nil, "1"])
    // While the request of another is made, the first goes on.
    let reading = Reading(source)
    _ = try await requests.entry(2)
    barrier.open()
    #expect(try await first.next()?.data == "b")
    gate.note(())
    #expect(try await reading.allData() == [])
    #expect(server.requests.all.map(\.lastEventID) == [nil, "1", "2"])
  }

  @Test func anIterationThatReadsNothingNewLeavesTheIDOfAnotherAlone() async throws {
    let barrier = Barrier()
    let server = try ScriptedServer(scripts: [
      { exchange in
        exchange.open()
        exchange.send("id: 1\ndata: a\n\n")
        barrier.pass()
        exchange.send(":\n")
      },
      held("id: 2\ndata: b\n\n"),
    ])
    let source = EventSource(server.url, options: .plain, clock: TestClock())
    let reading = Reading(source)
    #expect(try await reading.data(0) == "a")
    let second = source.makeAsyncIterator()
    #expect(try await second.next()?.id == "2")
    barrier.open()
    for await status in source.statuses where status.state == .waiting(.seconds(3), attempt: 1) {
      #expect(status.lastEventID == "2")
      break
    }
    reading.task.cancel()
    #expect(try await reading.allData() == ["a"])
  }

  @Test func anIDThatCannotStandInAHeaderEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      _ = EventSource(URL(fileURLWithPath: "/"), lastEventID: "1\r\nX-Other: 2")
    }
  }
}
