import AsyncFeedback
import Testing

/// What is sent when the body has ended already, from work that it left behind.
@Suite("Law 6: leases of bodies that have returned", .timeLimit(.minutes(10)))
struct Law06LateSendTests {
  private struct Row: Sendable, Identifiable, Equatable {
    let id: Int
  }

  private enum Event: Sendable {
    case rowsChanged([Int])
    case found(String)
  }

  private struct State: Sendable {
    var rows: [Row] = []
    var found: [String] = []
  }

  private typealias Rows = ClosureSystem<State, Event>
  private let send = Handover<Send<Event>>()
  private let gate = Gate()

  private func rows(_ feedbacks: [Feedback<Rows>]) -> Rows {
    Rows(
      { state, event in
        switch event {
        case .rowsChanged(let ids): state.rows = ids.map(Row.init)
        case .found(let text): state.found.append(text)
        }
      }, feedbacks: feedbacks)
  }

  private func ids(_ event: Event) -> [Int]? {
    if case .rowsChanged(let ids) = event { ids } else { nil }
  }

  /// Sends by what the run has left behind, and tells what was found then.
  private func sendLate(_ context: Context<Rows>) async -> [String] {
    guard let late = send.value else { return ["the body has not begun"] }
    send.value = nil
    await late(.found("late")).value
    return await context.state.found
  }

  @Test(arguments: Venue.allCases)
  func aBodyThatEndedByItselfIsHeardWhileItsElementIsThere(venue: Venue) async {
    let system = rows([Feedback.each(\.rows) { _, send in self.send.value = send }])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    await context.send(.rowsChanged([1])).settled()
    #expect(await sendLate(context) == ["late"])
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func aBodyThatEndedByItselfIsNotHeardWhenItsElementIsGone(venue: Venue) async {
    let system = rows([Feedback.each(\.rows) { _, send in self.send.value = send }])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    await context.send(.rowsChanged([1])).settled()
    await context.send(.rowsChanged([])).settled()
    #expect(await sendLate(context).isEmpty)
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func aCancelledBodyIsNotHeardLongAfterItHasEnded(venue: Venue) async {
    let begun = Tally()
    let system = rows([
      Feedback.each(\.rows) { _, send in
        self.send.value = send
        begun.increment()
        await gate.pass()
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    await context.send(.rowsChanged([1])).value
    await begun.reaches(1)
    await context.send(.rowsChanged([])).settled()
    for _ in 0..<3 { await context.send(.rowsChanged([])).settled() }
    #expect(await sendLate(context).isEmpty)
    running.stop()
    await running.ended()
  }

  @Test(arguments: [Policy.latest, .overlapping, .queued, .dropping])
  func aBodyThatAStopCutOffIsNotHeardInTheNextLoop(policy: Policy) async {
    let begun = Tally()
    let system = rows([
      Feedback.on(ids, policy: policy) { _, send in
        self.send.value = send
        begun.increment()
        await gate.pass()
      }
    ])
    let context = Context(state: State(), system: system, executor: .background)
    let first = context.start()
    context.send(.rowsChanged([1]))
    await begun.reaches(1)
    first.stop()
    await first.ended()
    let second = context.start()
    await context.quiet()
    #expect(await sendLate(context).isEmpty)
    second.stop()
    await second.ended()
  }
}
