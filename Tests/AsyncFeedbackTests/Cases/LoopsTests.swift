import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Cases C: long chains", .timeLimit(.minutes(10)))
struct LoopsChainTests {
  private func chain(of length: Int, isAsynchronous: Bool) -> Sum {
    Sum.adding([
      isAsynchronous
        ? Feedback(.onChanged(\.self)) { state async in state < length ? 1 : nil }
        : Feedback(.onChanged(\.self)) { state in state < length ? 1 : nil }
    ])
  }

  @Test("C1: a long chain completes", arguments: Venue.allCases, [false, true])
  func longChain(venue: Venue, isAsynchronous: Bool) async {
    let length = 100_000
    let context = Context(
      state: 0, system: chain(of: length, isAsynchronous: isAsynchronous),
      executor: venue.executor(), runawayLimit: nil)
    let running = context.start()
    await context.quiet()
    #expect(await context.state == length)
    running.stop()
    await running.ended()
  }

  @MainActor
  @Test("C1: a long chain completes that begins in the middle of a sender's code")
  func longChainInPlace() async {
    let length = 100_000
    let context = Context(
      state: -1,
      system: Sum.adding([
        Feedback(.onChanged(\.self)) { state in (0..<length).contains(state) ? 1 : nil }
      ]), runawayLimit: nil)
    let running = context.start()
    await context.quiet()
    context.send(1)
    #expect(context[\.self] > 0)
    await context.quiet()
    #expect(context[\.self] == length)
    running.stop()
    await running.ended()
  }

  @Test(
    "C1: a chain of a million completes on a thread with a stack of 512 KB",
    arguments: [false, true])
  func smallStack(isAsynchronous: Bool) async {
    let length = isAsynchronous ? 100_000 : 1_000_000
    let executor = DeterministicExecutor()
    let context = Context(
      state: 0, system: chain(of: length, isAsynchronous: isAsynchronous),
      executor: .serial(executor), runawayLimit: nil)
    let running = context.start()
    onOtherThread(stackSize: 512 * 1_024) { executor.runUntilIdle() }
    let state = Task(executorPreference: executor) { await context.state }
    executor.runUntilIdle()
    #expect(await state.value == length)
    running.stop()
    executor.runUntilIdle()
    await running.ended()
  }

  @Test("C1: a million events that wait are reduced, and let go, on a stack of 512 KB")
  func longQueueOnASmallStack() async {
    let executor = DeterministicExecutor()
    var context: Context? = Context(
      state: 0, system: Sum.adding(), executor: .serial(executor), runawayLimit: nil)
    for _ in 0..<500_000 { context?.send(1) }
    let running = context?.start()
    onOtherThread(stackSize: 512 * 1_024) { executor.runUntilIdle() }
    let state = Task(executorPreference: executor) { [context] in await context?.state }
    executor.runUntilIdle()
    #expect(await state.value == 500_000)
    running?.stop()
    executor.runUntilIdle()
    await running?.ended()
    for _ in 0..<500_000 { context?.send(1) }
    let last = Handover<Context<Sum>>()
    last.value = context
    context = nil
    onOtherThread(stackSize: 512 * 1_024) { last.value = nil }
  }
}

@Suite("Cases C: runaway loops", .timeLimit(.minutes(10)))
struct LoopsRunawayTests {
  private enum Event: Sendable {
    case started, flipped, pinged, ponged, stopped
  }

  private struct State: Sendable {
    var isGoing = false
    var flag = false
    var flips = 0
    var pings = 0
    var pongs = 0
    var flipsAtPing = 0
  }

  private typealias Flipper = ClosureSystem<State, Event>
  private let flips = Tally()

  /// Two feedbacks that flip a flag forever, and one that answers a ping.
  private func flipper(isAsynchronous: Bool) -> Flipper {
    func flip(_ isUp: Bool, name: String) -> Feedback<Flipper> {
      // A filter would answer to the ping too, and so make the rest of the chain the ping's doing.
      isAsynchronous
        ? Feedback(.onChanged(\.isGoing, \.flag), name: name) { state in
          guard state.isGoing, state.flag == isUp else { return nil }
          await Task.detached {}.value
          return .flipped
        }
        : Feedback(.onChanged(\.isGoing, \.flag), name: name) { state in
          state.isGoing && state.flag == isUp ? .flipped : nil
        }
    }
    return Flipper(
      { state, event in
        switch event {
        case .started: state.isGoing = true
        case .stopped: state.isGoing = false
        case .flipped:
          state.flag.toggle()
          state.flips += 1
          flips.increment()
        case .pinged:
          state.pings += 1
          state.flipsAtPing = state.flips
        case .ponged: state.pongs += 1
        }
      },
      feedbacks: [
        flip(false, name: "raise"), flip(true, name: "lower"),
        Feedback(.onChanged(\.pings)) { $0.pings > 0 ? .ponged : nil },
      ])
  }

  @Test(
    "C2: a runaway loop is reported once, and a stop ends it", arguments: Venue.allCases,
    [false, true])
  func runaway(venue: Venue, isAsynchronous: Bool) async {
    let monitor = WordMonitor()
    let limit = isAsynchronous ? 5_000 : 20_000
    let context = Context(
      state: State(), system: flipper(isAsynchronous: isAsynchronous), executor: venue.executor(),
      monitor: monitor, runawayLimit: limit)
    let running = context.start()
    context.send(.started)
    await flips.reaches(limit + 1_000)
    running.stop()
    await running.ended()
    let count = flips.count
    let reports = monitor.runaways.entries
    #expect(reports.count == 1)
    #expect(Set(reports.first?.cycle.map(\.feedback.name) ?? []) == ["raise", "lower"])
    #expect(reports.first?.cycle.allSatisfy { $0.feedback.line > 0 } == true)
    #expect(await context.state.flips == count)
  }

  @Test("C2: the limit is 100,000 unless it is set")
  func defaultLimit() async {
    for (length, isReported) in [(99_999, false), (100_000, true)] {
      let monitor = WordMonitor()
      let system = Sum.adding([
        Feedback(.onChanged(\.self)) { state in (1...length).contains(state) ? 1 : nil }
      ])
      let context = Context(state: 0, system: system, executor: .background, monitor: monitor)
      let running = context.start()
      await context.send(1).settled()
      #expect(monitor.runaways.entries.isEmpty == !isReported)
      running.stop()
      await running.ended()
    }
  }

  @Test("C2: a countdown of one second a step is no runaway loop")
  func countdown() async {
    let executor = DeterministicExecutor()
    let clock = TestClock()
    let monitor = WordMonitor()
    let system = Sum.adding([
      Feedback.every(.seconds(1), while: { $0 > 0 }, clock: clock) { -1 }
    ])
    let context = Context(
      state: 60, system: system, executor: .serial(executor), monitor: monitor, runawayLimit: 5)
    let running = context.start()
    executor.runUntilIdle()
    for _ in 0..<70 {
      clock.advance(by: .seconds(1))
      executor.runUntilIdle()
    }
    #expect(monitor.lines("state").last == "state 0")
    #expect(monitor.lines("state").count == 60)
    #expect(monitor.runaways.entries.isEmpty)
    running.stop()
    executor.runUntilIdle()
    await running.ended()
  }

  @Test(
    "C3: a spinning loop does not starve an event from outside", arguments: Venue.allCases,
    [false, true])
  func starvation(venue: Venue, isAsynchronous: Bool) async {
    let context = Context(
      state: State(), system: flipper(isAsynchronous: isAsynchronous), executor: venue.executor(),
      runawayLimit: nil)
    let running = context.start()
    context.send(.started)
    await flips.reaches(3_000)
    await context.send(.pinged).settled()
    let state = await context.state
    #expect(state.isGoing)
    #expect(state.pings == 1)
    #expect(state.pongs == 1)
    running.stop()
    await running.ended()
  }

  @Test("C3: it is handled within two turns")
  func boundedDelay() async {
    let executor = DeterministicExecutor()
    let context = Context(
      state: State(),
      system: flipper(isAsynchronous: false), executor: .serial(executor), runawayLimit: nil)
    let running = context.start()
    executor.runUntilIdle()
    context.send(.started)
    for _ in 0..<10 { executor.runOne() }
    let before = flips.count
    context.send(.pinged)
    let receipt = context.send(.stopped)
    executor.runUntilIdle()
    let state = Task(executorPreference: executor) {
      await receipt.value
      return await context.state
    }
    executor.runUntilIdle()
    let final = await state.value
    #expect(final.flipsAtPing - before <= 2_000)
    #expect(final.pongs == 1)
    running.stop()
    executor.runUntilIdle()
    await running.ended()
  }
}
