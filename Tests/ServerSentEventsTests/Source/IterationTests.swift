import AsyncFeedback
import AsyncFeedbackTestSupport
import Dispatch
import Foundation
import LoopbackServer
import Testing

@testable import ServerSentEvents

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Iterations", .timeLimit(.minutes(10))) struct IterationTests {
  /// What tells whether it runs on the main actor; the main thread does not, where a pool serves the actor.
  private func mainActorProbe() -> @Sendable () -> Bool {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return { DispatchQueue.getSpecific(key: key) == true }
  }

  @Test @MainActor func aWaitDoesNotLeaveTheActorOfTheConsumer() async {
    let onMain = mainActorProbe()
    let isOnMain = Entries<Bool>()
    let intake = Intake(limit: 100) {
      // Asked by who puts something in, and by who takes something out.
      isOnMain.note(onMain())
      return .zero
    }
    intake.put(Data([1]))
    guard case .bytes = await Connection(intake).next() else {
      Issue.record("no bytes")
      return
    }
    #expect(isOnMain.all == [true, true])
  }

  @Test @MainActor func anIteratorThatIsAskedDirectlyStaysWhereItIsAsked() async throws {
    let onMain = mainActorProbe()
    let isOnMain = Entries<Bool>()
    let server = try ScriptedServer(scripts: [])
    let url = server.url
    let source = EventSource {
      isOnMain.note(onMain())
      return URLRequest(url: url)
    }
    #expect(try await source.makeAsyncIterator().next() == nil)
    #expect(isOnMain.all == [true])
  }

  @Test func anIteratorThatIsNeverAskedSaysNothingOfTheSource() async throws {
    let server = try ScriptedServer(scripts: [held("id: 1\ndata: a\n\n")])
    let source = EventSource(server.url)
    let iterator = source.makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    _ = source.makeAsyncIterator()
    #expect(source.status.state == .open)
    #expect(server.departures.count == 0)
    _ = iterator
  }

  @Test func twoIterationsHaveAConnectionEach() async throws {
    let barrier = Barrier()
    let server = try ScriptedServer(scripts: [
      held("id: 1\ndata: a\n\n", behind: barrier, "id: 2\ndata: b\n\n"),
      held("id: 1\ndata: a\n\n"),
    ])
    let source = EventSource(server.url)
    let first = source.makeAsyncIterator()
    #expect(try await first.next()?.data == "a")
    for try await event in source {
      #expect(event.data == "a")
      break
    }
    // The end of the second is not that of the first.
    #expect(try await server.departures.entry(0) == 1)
    barrier.open()
    #expect(try await first.next()?.data == "b")
    #expect(source.status.attempts == 2)
    #expect(source.status.events == 3)
  }

  @Test func twoTasksThatAskOneIteratorEndTheProcess() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      let asked = Entries<Void>()
      struct NoRequest: Error {}
      let source = EventSource {
        asked.note(())
        _ = try await asked.entry(1)
        throw NoRequest()
      }
      let iterator = source.makeAsyncIterator()
      let task = Task { @MainActor in _ = try? await iterator.next() }
      _ = try await asked.entry(0)
      _ = try? await iterator.next()
      await task.value
    }
  }

  @Test func limitsOfTimeThatAreNoneEndTheProcess() async {
    await #expect(processExitsWith: .failure) {
      _ = EventSource(
        URL(fileURLWithPath: "/"), options: .plain.with { $0.connectLimit = .zero })
    }
    await #expect(processExitsWith: .failure) {
      _ = EventSource(
        URL(fileURLWithPath: "/"), options: .plain.with { $0.silenceLimit = .seconds(-1) })
    }
    await #expect(processExitsWith: .failure) {
      _ = EventSource(
        URL(fileURLWithPath: "/"), options: .plain.with { $0.reconnectionTime = .seconds(-1) })
    }
  }
}
