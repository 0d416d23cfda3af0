import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Law 5: runaway loops are explained", .timeLimit(.minutes(10)))
struct Law05Tests {
  private enum Event: Sendable {
    case started, raised, lowered, stopped
  }

  private struct State: Sendable {
    var isOn = false
    var isUp = false
    var count = 0
  }

  private typealias Flipper = ClosureSystem<State, Event>

  private func flipper(_ tally: Tally = Tally(), _ feedbacks: [Feedback<Flipper>]) -> Flipper {
    Flipper(
      { state, event in
        switch event {
        case .started: state.isOn = true
        case .stopped: state.isOn = false
        case .raised: state.isUp = true
        case .lowered: state.isUp = false
        }
        state.count += 1
        tally.increment()
      }, feedbacks: feedbacks)
  }

  private static let line = (raise: #line + 3, lower: #line + 6)
  private static let synchronous: [Feedback<Flipper>] = [
    Feedback(.filter { $0.isOn && !$0.isUp }, name: "raise") { _ in
      .raised
    },
    Feedback(.filter { $0.isOn && $0.isUp }, name: "lower") { _ in
      .lowered
    },
  ]

  /// Suspends for real in each step, so that each answer is a completion of its own.
  private static let asynchronous: [Feedback<Flipper>] = [
    Feedback(.filter { $0.isOn && !$0.isUp }, name: "raise") { _ in
      await Task.detached {}.value
      return .raised
    },
    Feedback(.filter { $0.isOn && $0.isUp }, name: "lower") { _ in
      await Task.detached {}.value
      return .lowered
    },
  ]

  private func end(_ context: Context<Flipper>, _ running: Running) async {
    await context.send(.stopped).settled()
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases, [false, true])
  func oneReportNamesTheCycle(venue: Venue, isAsynchronous: Bool) async {
    let tally = Tally()
    let monitor = WordMonitor()
    let context = Context(
      state: State(),
      system: flipper(tally, isAsynchronous ? Self.asynchronous : Self.synchronous),
      executor: venue.executor(), monitor: monitor, runawayLimit: 100)
    let running = context.start()
    context.send(.started)
    await tally.reaches(101)
    // Far beyond the limit, since one report is all.
    await tally.reaches(1_000)
    await end(context, running)
    let reports = monitor.runaways.entries
    #expect(reports.count == 1)
    let report = reports.first
    #expect(report?.count == 100)
    #expect(Set(report?.cycle.map(\.feedback.name) ?? []) == ["raise", "lower"])
    #expect(report?.cycle.count == 2)
    #expect(Set(report?.cycle.map(\.event) ?? []) == [".raised", ".lowered"])
    if !isAsynchronous {
      let lines = Set(report?.cycle.map(\.feedback.line) ?? [])
      #expect(lines == [Self.line.raise - 1, Self.line.lower - 1])
      #expect(report?.cycle.first?.feedback.fileID.hasSuffix("Law05Tests.swift") == true)
    }
  }

  @Test func theLimitIsExact() async {
    for (length, isReported) in [(99, false), (100, true)] {
      let monitor = WordMonitor()
      let system = Sum.adding([
        Feedback(.onChanged(\.self)) { (1...length).contains($0) ? 1 : nil }
      ])
      let context = Context(
        state: 0, system: system, executor: .background, monitor: monitor, runawayLimit: 100)
      let running = context.start()
      await context.send(1).settled()
      #expect(await context.state == length + 1)
      #expect(monitor.runaways.entries.isEmpty == !isReported, "\(length) steps")
      running.stop()
      await running.ended()
    }
  }

  @Test func withoutALimitThereIsNoReport() async {
    let tally = Tally()
    let monitor = WordMonitor()
    let context = Context(
      state: State(), system: flipper(tally, Self.synchronous), executor: .background,
      monitor: monitor, runawayLimit: nil)
    let running = context.start()
    context.send(.started)
    await tally.reaches(150_000)
    await end(context, running)
    #expect(monitor.runaways.entries.isEmpty)
  }

  @Test func eventsFromOutsideAreNotAChain() async {
    let monitor = WordMonitor()
    let context = Context(
      state: 0,
      system: Sum.adding([Feedback(.onChanged(\.self)) { $0 % 10 == 0 ? nil : 1 }]),
      executor: .background, monitor: monitor, runawayLimit: 20)
    let running = context.start()
    for _ in 0..<100 { await context.send(1).settled() }
    #expect(await context.state == 1_000)
    #expect(monitor.runaways.entries.isEmpty)
    running.stop()
    await running.ended()
  }

  @Test func aChainThatWaitsOnALibraryClockIsNone() async {
    let clock = TestClock()
    let executor = DeterministicExecutor()
    let monitor = WordMonitor()
    let system = Sum.adding([Feedback.every(.seconds(1), clock: clock) { 1 }])
    let context = Context(
      state: 0, system: system, executor: .serial(executor), monitor: monitor, runawayLimit: 10)
    let running = context.start()
    executor.runUntilIdle()
    for _ in 0..<100 {
      clock.advance(by: .seconds(1))
      executor.runUntilIdle()
    }
    #expect(monitor.lines("event").count == 100)
    #expect(monitor.runaways.entries.isEmpty)
    running.stop()
    executor.runUntilIdle()
    await running.ended()
  }

  @Test func aRestartAfterEachTickIsNone() async {
    // The countdown restarts its own timer by its answer: a wait lies between two events.
    let clock = TestClock()
    let executor = DeterministicExecutor()
    let monitor = WordMonitor()
    let system = Sum.adding([
      Feedback.request({ $0 > 0 ? $0 : nil }) { _ async in -1 }
        .debounced(for: .seconds(1), clock: clock)
    ])
    let context = Context(
      state: 100, system: system, executor: .serial(executor), monitor: monitor, runawayLimit: 10)
    let running = context.start()
    executor.runUntilIdle()
    for _ in 0..<200 {
      clock.advance(by: .seconds(1))
      executor.runUntilIdle()
    }
    #expect(monitor.lines("event").count == 100)
    #expect(monitor.runaways.entries.isEmpty)
    running.stop()
    executor.runUntilIdle()
    await running.ended()
  }

  @Test func elementsOfAStreamAreNone() async {
    let monitor = WordMonitor()
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for _ in 0..<100 { continuation.yield(1) }
    continuation.finish()
    let sequence = stream
    let context = Context(
      state: 0, system: Sum.adding([Feedback.stream(sequence: { sequence }, event: { $0 })]),
      executor: .background, monitor: monitor, runawayLimit: 10)
    let running = context.start()
    var values = context.values(of: { $0 }).makeAsyncIterator()
    while let value = await values.next(), value < 100 {}
    #expect(monitor.runaways.entries.isEmpty)
    running.stop()
    await running.ended()
  }

  @Test func anotherChainIsReportedAnew() async {
    let tally = Tally()
    let monitor = WordMonitor()
    let context = Context(
      state: State(), system: flipper(tally, Self.synchronous), executor: .background,
      monitor: monitor, runawayLimit: 100)
    let running = context.start()
    for round in 1...3 {
      context.send(.started)
      await tally.reaches(tally.count + 500)
      await context.send(.stopped).settled()
      #expect(monitor.runaways.entries.count == round)
    }
    running.stop()
    await running.ended()
  }
}
