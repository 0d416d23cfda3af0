import AsyncFeedback
import Testing

/// A search: the newest query counts.
private enum Event: Sendable, Equatable {
  case queried(Int?)
  case found(String)
}

private struct State: Sendable {
  var query: Int?
  var found: [String] = []
}

private typealias Search = ClosureSystem<State, Event>

private func search(_ feedbacks: [Feedback<Search>]) -> Search {
  Search(
    { state, event in
      switch event {
      case .queried(let query): state.query = query
      case .found(let text): state.found.append(text)
      }
    }, feedbacks: feedbacks)
}

@Suite("Law 6: leases", .timeLimit(.minutes(10)))
struct Law06Tests {
  /// What a body that ignores its cancellation waits for, one gate for each query.
  private let gates = (0..<4).map { _ in Gate() }
  private let begun = Tally()

  /// Ignores cancellation and answers late.
  private func late(_ query: Int) async -> Event? {
    begun.increment()
    await gates[query].passUncancelled()
    return .found("\(query)")
  }

  private func query(_ event: Event) -> Int? {
    if case .queried(let query?) = event { query } else { nil }
  }

  private func onQuery(_ policy: Policy) -> Feedback<Search> {
    Feedback.on(query, policy: policy) { await late($0) }
  }

  @Test(arguments: Venue.allCases)
  func aReplacedRunThatIgnoresItsCancellationIsNotHeard(venue: Venue) async {
    let monitor = WordMonitor()
    let context = Context(
      state: State(),
      system: search([Feedback.request(\.query, name: "search") { await late($0) }]),
      executor: venue.executor(), monitor: monitor)
    let running = context.start()
    context.send(.queried(1))
    await begun.reaches(1)
    context.send(.queried(2))
    await begun.reaches(2)
    gates[1].open()
    gates[2].open()
    await context.quiet()
    running.stop()
    await running.ended()
    #expect(await context.state.found == ["2"])
    #expect(monitor.lines("dropped") == [#"dropped search found("1")"#])
  }

  @Test(arguments: Venue.allCases)
  func aRunWhoseLevelWasLeftIsNotHeard(venue: Venue) async {
    let context = Context(
      state: State(),
      system: search([Feedback(.while { $0.query != nil }) { await late($0.query ?? 0) }]),
      executor: venue.executor())
    let running = context.start()
    context.send(.queried(1))
    await begun.reaches(1)
    await context.send(.queried(nil)).value
    gates[1].open()
    await context.quiet()
    #expect(await context.state.found.isEmpty)
    running.stop()
    await running.ended()
  }

  @MainActor @Test func anAnswerInTheQueueIsDroppedWhenItsRunIsReplaced() async {
    let monitor = WordMonitor()
    // The bodies answer at once, but the answers to 1 and 2 are queued when 3 comes.
    let system = search([
      Feedback(.onChanged(\.query), name: "search") { $0.query.map { .found("\($0)") } }
    ])
    let context = Context(state: State(), system: system, monitor: monitor)
    let running = context.start()
    await context.quiet()
    let observer = FieldObserver({ context.query }) { query in
      guard query == 1 else { return }
      context.send(.queried(2))
      context.send(.queried(3))
    }
    context.send(.queried(1))
    #expect(context.found == ["3"])
    #expect(
      monitor.lines("dropped") == [#"dropped search found("1")"#, #"dropped search found("2")"#])
    observer.stop()
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func anAnswerInTheQueueIsDroppedWhenAnotherLeavesTheLevel(venue: Venue) async {
    let monitor = WordMonitor()
    let system = search([
      Feedback(.while { $0.query == 1 }, name: "first") { _ in .queried(nil) },
      Feedback.request(\.query, name: "second") { .found("\($0)") },
    ])
    let context = Context(
      state: State(), system: system, executor: venue.executor(), monitor: monitor)
    let running = context.start()
    await context.send(.queried(1)).settled()
    #expect(await context.state.found.isEmpty)
    #expect(monitor.lines("dropped") == [#"dropped second found("1")"#])
    running.stop()
    await running.ended()
  }

  @Test(arguments: [Policy.overlapping, .queued, .dropping, .overlapping(limit: 2)])
  func otherPoliciesKeepTheLeaseWhenTriggeredAgain(policy: Policy) async {
    let context = Context(
      state: State(), system: search([onQuery(policy)]), executor: .background)
    let running = context.start()
    context.send(.queried(1))
    await begun.reaches(1)
    await context.send(.queried(2)).value
    gates[1].open()
    gates[2].open()
    await context.quiet()
    let expected: Set = policy == .dropping ? ["1"] : ["1", "2"]
    #expect(await Set(context.state.found) == expected)
    running.stop()
    await running.ended()
  }

  @Test(arguments: [Policy.latest, .latest(.afterCleanup), .overlapping, .queued, .dropping])
  func aRunThatAStopCutOffIsNotHeard(policy: Policy) async {
    let context = Context(
      state: State(), system: search([onQuery(policy)]), executor: .background)
    let first = context.start()
    context.send(.queried(1))
    await begun.reaches(1)
    first.stop()
    let second = context.start()
    // The new loop does not wait for the run, so this is handled before that ends.
    await context.send(.queried(nil)).value
    gates[1].open()
    await first.ended()
    await context.quiet()
    #expect(await context.state.found.isEmpty)
    second.stop()
    await second.ended()
  }

  @MainActor @Test func aStopAfterTheEndOfABodyWithdrawsNothing() async {
    let context = Context(
      state: State(), system: search([Feedback(.onChanged(\.query)) { .found("\($0.query ?? 0)") }])
    )
    let first = context.start()
    await context.quiet()
    let handover = Handover<Running>()
    handover.value = first
    let observer = FieldObserver({ context.query }) { query in
      // The body answers in this turn, after the observers; the answer is queued when it ends.
      if query == 1 { handover.value?.stop() }
    }
    context.send(.queried(1))
    #expect(context.found == ["0"])
    await first.ended()
    observer.stop()
    let second = context.start()
    await context.quiet()
    #expect(context.found == ["0", "1"])
    second.stop()
    await second.ended()
  }

  @Test(arguments: Venue.allCases)
  func whatABodySendsBeforeItIsReplacedIsReducedOnlyBefore(venue: Venue) async {
    let system = search([
      Feedback.request(\.query) { query, send in
        begun.increment()
        await send(.found("\(query) early")).value
        await gates[query].passUncancelled()
        send(.found("\(query) late"))
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    context.send(.queried(1))
    var values = context.values(of: \.found).makeAsyncIterator()
    while let found = await values.next(), found.isEmpty {}
    await context.send(.queried(2)).value
    gates[1].open()
    gates[2].open()
    await context.quiet()
    running.stop()
    await running.ended()
    #expect(await context.state.found == ["1 early", "2 early", "2 late"])
  }
}
