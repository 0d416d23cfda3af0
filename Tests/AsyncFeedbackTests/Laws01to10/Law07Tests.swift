import AsyncFeedback
import Testing

@Suite("Law 7: never started means never run", .timeLimit(.minutes(10)))
struct Law07Tests {
  private struct Row: Sendable, Identifiable, Equatable {
    let id: Int
  }

  private enum Event: Sendable {
    case flagged(Bool)
    case queried(Int)
    case rowsChanged([Int])
  }

  private struct State: Sendable {
    var flag = false
    var query = 0
    var rows: [Row] = []
  }

  private typealias Subject = ClosureSystem<State, Event>
  private let journal = Journal<Int>()
  private let begun = Tally()
  private let gate = Gate()

  private func subject(_ feedbacks: [Feedback<Subject>]) -> Subject {
    Subject(
      { state, event in
        switch event {
        case .flagged(let flag): state.flag = flag
        case .queried(let query): state.query = query
        case .rowsChanged(let ids): state.rows = ids.map(Row.init)
        }
      }, feedbacks: feedbacks)
  }

  private func query(_ event: Event) -> Int? {
    if case .queried(let query) = event { query } else { nil }
  }

  private func begin(_ number: Int) async {
    journal.note(number)
    begun.increment()
    await gate.pass()
  }

  /// Sends all events in one turn: the observer of the first one sends the rest.
  private func sendInOneTurn(
    _ events: [Event], to subject: Subject, venue: Venue
  ) async -> WordMonitor {
    let outside = Handover<Context<Subject>>()
    let monitor = WordMonitor { line in
      guard line.hasPrefix("event"), let context = outside.value else { return }
      outside.value = nil
      for event in events.dropFirst() { context.send(event) }
    }
    let context = Context(
      state: State(), system: subject, executor: venue.executor(), monitor: monitor)
    let running = context.start()
    await context.quiet()
    outside.value = context
    await context.send(events[0]).value
    await context.send(events[events.count - 1]).value
    gate.open()
    await context.quiet()
    running.stop()
    await running.ended()
    return monitor
  }

  @Test(arguments: Venue.allCases)
  func aLevelThatIsLeftInTheTurnThatEnteredItRunsNothing(venue: Venue) async {
    let system = subject([
      Feedback(.while(\.flag), name: "body") { state in
        await begin(1)
        return nil
      }
    ])
    let monitor = await sendInOneTurn([.flagged(true), .flagged(false)], to: system, venue: venue)
    #expect(journal.entries.isEmpty)
    #expect(monitor.lines("started").isEmpty)
    #expect(monitor.lines("cancelled") == ["cancelled body"])
  }

  @Test(arguments: Venue.allCases)
  func onlyTheLastOfSeveralTriggersInOneTurnRuns(venue: Venue) async {
    let system = subject([
      Feedback(.onChanged(\.query)) { state in
        if state.query > 0 { await begin(state.query) }
        return nil
      }
    ])
    _ = await sendInOneTurn((1...5).map { .queried($0) }, to: system, venue: venue)
    #expect(journal.entries.allSatisfy { $0 == 5 })
  }

  @Test(arguments: Venue.allCases)
  func anElementThatComesAndGoesInOneTurnRunsNothing(venue: Venue) async {
    let system = subject([
      Feedback.each(\.rows) { row in
        await begin(row.id)
        return nil
      }
    ])
    _ = await sendInOneTurn(
      [.rowsChanged([1, 2, 3]), .rowsChanged([2]), .rowsChanged([2, 4])], to: system, venue: venue)
    #expect(Set(journal.entries).isSubset(of: [2, 4]))
    #expect(Set(journal.entries).contains(2))
  }

  @Test(arguments: Venue.allCases)
  func aRunThatWaitsForTheEndOfAnotherNeverRunsOnceReplaced(venue: Venue) async {
    let system = subject([
      Feedback.request({ $0.query > 0 ? $0.query : nil }, policy: .latest(.afterCleanup)) { query in
        journal.note(query)
        begun.increment()
        await gate.passUncancelled()
        return nil
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    context.send(.queried(1))
    await begun.reaches(1)
    await context.send(.queried(2)).value
    await context.send(.queried(3)).value
    gate.open()
    await context.quiet()
    #expect(journal.entries == [1, 3])
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func runsThatWaitInAQueueNeverRunOnceTheirLevelIsLeft(venue: Venue) async {
    let system = subject([
      Feedback.request({ $0.query > 0 ? $0.query : nil }, policy: .queued) { query in
        await begin(query)
        return nil
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    context.send(.queried(1))
    await begun.reaches(1)
    for number in 2...4 { await context.send(.queried(number)).value }
    await context.send(.queried(0)).settled()
    #expect(journal.entries == [1])
    running.stop()
    await running.ended()
  }

  @MainActor @Test func aRunWhoseLoopStopsInTheSameStretchDoesNotRun() async {
    let system = subject([
      Feedback.on(query) { query in
        await begin(query)
        return nil
      }
    ])
    let context = Context(state: State(), system: system)
    let running = context.start()
    await context.quiet()
    context.send(.queried(1))
    running.stop()
    await running.ended()
    #expect(context.query == 1)
    #expect(journal.entries.isEmpty)
  }
}
