import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Law 18: everything is visible") struct Law18EverythingIsVisibleTests {
  struct Fields: Sendable, Equatable {
    var count = 0
    var key: Int?
    var rows: [Row] = []
    var last = ""
  }

  struct Row: Identifiable, Equatable, Sendable { let id: Int }

  enum Event: Sendable, Equatable { case counted, keyed(Int?), rows([Row]), said(String) }

  typealias System = ClosureSystem<Fields, Event>

  static func reduce(_ state: inout Fields, _ event: Event) {
    switch event {
    case .counted: state.count += 1
    case .keyed(let key): state.key = key
    case .rows(let rows): state.rows = rows
    case .said(let word): state.last = word
    }
  }

  /// A rehearsal and what its monitor is told, as short lines.
  private func rehearsal(
    @FeedbackBuilder<System> _ feedbacks: (TestClock) -> [Feedback<System>]
  ) -> (Rehearsal<Fields, Event>, LineMonitor) {
    let monitor = LineMonitor()
    let rehearsal = Rehearsal<Fields, Event>(
      Fields(), monitor: monitor, reduce: Self.reduce, feedbacks: feedbacks)
    return (rehearsal, monitor)
  }

  @Test func aSynchronousAnswerIsSeenFromItsEventToItsTransition() {
    let (rehearsal, monitor) = rehearsal { _ in
      Feedback(.onChanged(\.count), name: "say") { state in .said("\(state.count)") }
    }
    rehearsal.run()
    #expect(
      monitor.lines.entries == [
        "loop started", "started say by 0", "answered said(\"0\") say by 0", "finished say by 0",
        "event 1 said(\"0\") from say by 0", "transition 1",
      ])
    monitor.lines.clear()
    rehearsal.send(.counted)
    #expect(
      monitor.lines.entries == [
        "event 2 counted from outside", "transition 2",
        "started say by 2", "answered said(\"1\") say by 2", "finished say by 2",
        "event 3 said(\"1\") from say by 2", "transition 3",
      ])
  }

  @Test func anAsynchronousRunIsSeenFromItsEventToItsAnswer() {
    let (rehearsal, monitor) = rehearsal { clock in
      Feedback.request(\.key, name: "load") { key, send in
        send(.said("begin"))
        try? await clock.sleep(for: .seconds(1))
        send(.said("end"))
      }
    }
    rehearsal.run()
    rehearsal.send(.counted, .keyed(5))
    rehearsal.advance(by: 1)
    #expect(
      monitor.lines.entries == [
        "loop started",
        "event 1 counted from outside", "transition 1",
        "event 2 keyed(Optional(5)) from outside", "transition 2",
        "started load by 2", "answered said(\"begin\") load by 2",
        "event 3 said(\"begin\") from load by 2", "transition 3",
        "answered said(\"end\") load by 2", "finished load by 2",
        "event 4 said(\"end\") from load by 2", "transition 4",
      ])
  }

  @Test func theAnswerOfABodyThatHasReturnedNamesItsEvent() {
    let (rehearsal, monitor) = rehearsal { clock in
      Feedback.each(\.rows, name: "row") { row in
        try? await clock.sleep(for: .seconds(1))
        return .said("\(row.id)")
      }
    }
    rehearsal.run()
    rehearsal.send(.counted, .rows([Row(id: 7)]))
    monitor.lines.clear()
    rehearsal.advance(by: 1)
    #expect(
      monitor.lines.entries == [
        "answered said(\"7\") row[7] by 2", "finished row[7] by 2",
        "event 3 said(\"7\") from row[7] by 2", "transition 3",
      ])
  }

  @Test func aCancelledRunAndItsLateAnswerAreSeen() {
    let signal = Signal()
    let (rehearsal, monitor) = rehearsal { _ in
      Feedback.request(\.key, name: "load") { key in
        await Task { _ = await signal.wait() }.value
        return .said("late \(key)")
      }
    }
    rehearsal.run()
    rehearsal.send(.keyed(1))
    rehearsal.send(.keyed(nil))
    #expect(monitor.lines.entries.suffix(1) == ["cancelled load by 1"])
    monitor.lines.clear()
    let ended = Journal<String>()
    rehearsal.perform { ended.note("") }
    #expect(monitor.lines.entries == [])
    signal.give()
  }

  @Test func anAnswerWhoseRunLostItsLeaseIsSeenToBeDropped() {
    let (rehearsal, monitor) = rehearsal { _ in
      Feedback.request(\.key, name: "first") { _ in .keyed(nil) }
      Feedback.request(\.key, name: "second") { _ in .said("not reduced") }
    }
    rehearsal.run()
    rehearsal.send(.keyed(1))
    #expect(monitor.lines.entries.contains("dropped said(\"not reduced\") second by 1"))
    #expect(rehearsal.state.last == "")
  }

  @Test func runsThatFailAndThatAreDiscardedAreSeen() {
    let (rehearsal, monitor) = rehearsal { clock in
      Feedback(.onChanged(\.count), policy: .queued, name: "queue", catch: { _ in nil }) { state in
        if state.count > 0 { try await clock.sleep(for: .seconds(1)) }
        throw Failure()
      }
    }
    let loop = rehearsal.run()
    #expect(monitor.lines.entries.suffix(2) == ["started queue by 0", "failed queue by 0"])
    rehearsal.send(.counted)
    monitor.lines.clear()
    rehearsal.stop(loop)
    #expect(
      monitor.lines.entries == [
        "cancelled queue by 1", "loop stopped, still going: queue by 1", "ended queue by 1",
      ])
  }

  @Test func anEventFromOutsideNamesItsPlace() throws {
    let monitor = JournalMonitor<System>()
    let rehearsal = Rehearsal<Fields, Event>(Fields(), monitor: monitor, reduce: Self.reduce) { _ in
    }
    rehearsal.run()
    let line = #line + 1
    rehearsal.context.send(.counted)
    rehearsal.executor.runUntilIdle()
    let cause = monitor.journal.entries.compactMap { record in
      if case .event(_, _, let cause) = record { cause } else { nil }
    }
    #expect(cause == [.outside(fileID: #fileID, line: line)])
  }

  @Test func aTransitionShowsTheStateBeforeAndAfter() {
    let monitor = JournalMonitor<System>()
    let rehearsal = Rehearsal<Fields, Event>(Fields(), monitor: monitor, reduce: Self.reduce) { _ in
    }
    rehearsal.run()
    rehearsal.send(.counted, .said("a"), .counted)
    let transitions = monitor.journal.entries.compactMap { record in
      if case .transition(_, let old, let new) = record { (old, new) } else { nil }
    }
    #expect(transitions.map(\.0.count) == [0, 1, 1])
    #expect(transitions.map(\.1.count) == [1, 1, 2])
    #expect(zip(transitions, transitions.dropFirst()).allSatisfy { $0.1 == $1.0 })
  }
}

/// Writes each record down as a short line.
struct LineMonitor: ContextMonitor {
  let lines = Journal<String>()

  func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
    lines.note(line(of: record))
  }

  private func line<System: SystemProtocol>(of record: MonitorRecord<System>) -> String {
    switch record {
    case .loopStarted: "loop started"
    case .loopStopped(let unended): "loop stopped, still going: \(unended.map(name).joined())"
    case .event(let event, let number, .outside): "event \(number) \(text(event)) from outside"
    case .event(let event, let number, .binding): "event \(number) \(text(event)) from binding"
    case .event(let event, let number, .feedback(let run)):
      "event \(number) \(text(event)) from \(name(run))"
    case .transition(let number, _, _): "transition \(number)"
    case .runStarted(let run): "started \(name(run))"
    case .answered(let run, let event): "answered \(event) \(name(run))"
    case .runFinished(let run): "finished \(name(run))"
    case .runCancelled(let run): "cancelled \(name(run))"
    case .runEnded(let run): "ended \(name(run))"
    case .runFailed(let run, _): "failed \(name(run))"
    case .answerDropped(let run, let event): "dropped \(event) \(name(run))"
    case .triggerDropped(let run): "no room \(name(run))"
    case .triggerIgnored(let run): "ignored \(name(run))"
    case .feed: "feed"
    case .runaway: "runaway"
    }
  }

  private func text<Event>(_ event: Event?) -> String {
    event.map { "\($0)" } ?? "write"
  }

  private func name(_ run: RunInfo) -> String {
    "\(run.feedback.name)\(run.key.map { "[\($0)]" } ?? "") by \(run.startedBy)"
  }
}
