import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Law 4: turns", .timeLimit(.minutes(10)))
struct Law04Tests {
  private enum Event: Sendable {
    case started, stepped, stopped
  }

  private struct State: Sendable {
    var isGoing = false
    var count = 0
    var countAtStop = 0
  }

  private typealias Spinner = ClosureSystem<State, Event>

  /// A chain of events that ends only from outside.
  private func spinner(isAsynchronous: Bool, _ tally: Tally = Tally()) -> Spinner {
    @Sendable func step(_ state: State) -> Event? {
      state.isGoing ? .stepped : nil
    }
    return Spinner(
      { state, event in
        switch event {
        case .started: state.isGoing = true
        case .stepped: state.count += 1
        case .stopped:
          state.isGoing = false
          state.countAtStop = state.count
        }
        tally.increment()
      },
      feedbacks: [
        isAsynchronous
          ? Feedback(.onChanged(\.count, \.isGoing)) { state async in step(state) }
          : Feedback(.onChanged(\.count, \.isGoing)) { state in step(state) }
      ])
  }

  @Test(arguments: [false, true])
  func aTurnGivesTheExecutorUpThoughTheChainIsEndless(isAsynchronous: Bool) async {
    let executor = DeterministicExecutor()
    let tally = Tally()
    let context = Context(
      state: State(), system: spinner(isAsynchronous: isAsynchronous, tally),
      executor: .serial(executor), runawayLimit: nil)
    let running = context.start()
    executor.runUntilIdle()
    context.send(.started)
    // Each job of the executor is a stretch in which nobody else gets in.
    for _ in 0..<50 {
      let before = tally.count
      #expect(executor.runOne())
      #expect(tally.count - before <= 10_000)
    }
    #expect(tally.count > 10)
    running.stop()
    executor.runUntilIdle()
    await running.ended()
  }

  @Test(arguments: [false, true])
  func anotherJobOfTheExecutorGetsInBetweenTwoTurns(isAsynchronous: Bool) async {
    let executor = DeterministicExecutor()
    let context = Context(
      state: State(), system: spinner(isAsynchronous: isAsynchronous),
      executor: .serial(executor), runawayLimit: nil)
    let running = context.start()
    executor.runUntilIdle()
    context.send(.started)
    for _ in 0..<10 { executor.runOne() }
    Task(executorPreference: executor) { context.send(.stopped) }
    // It would never be idle if the other job did not get in.
    executor.runUntilIdle()
    running.stop()
    executor.runUntilIdle()
    await running.ended()
  }

  @MainActor @Test(arguments: [false, true])
  func anEndlessChainDoesNotFreezeTheMainActor(isAsynchronous: Bool) async {
    let context = Context(
      state: State(), system: spinner(isAsynchronous: isAsynchronous), runawayLimit: nil)
    let running = context.start()
    await context.quiet()
    context.send(.started)
    // Each value of a task of the main actor is a stretch that got in.
    for _ in 0..<20 { await Task { @MainActor in }.value }
    #expect(context.count > 0)
    context.send(.stopped)
    #expect(!context.isGoing)
    await context.quiet()
    #expect(context.count - context.countAtStop <= 1)
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases, [false, true])
  func cancellationGetsInToAnEndlessChain(venue: Venue, isAsynchronous: Bool) async {
    let tally = Tally()
    let context = Context(
      state: State(), system: spinner(isAsynchronous: isAsynchronous, tally),
      executor: venue.executor(), runawayLimit: nil)
    let loop = Task { await context.runFeedbackLoop() }
    context.send(.started)
    await tally.reaches(5_000)
    loop.cancel()
    await loop.value
    #expect(!context.isRunning)
    let count = tally.count
    #expect(await context.state.count == count - 1)
  }

  @Test(arguments: Venue.allCases, [false, true])
  func anEventFromOutsideGetsInToAnEndlessChain(venue: Venue, isAsynchronous: Bool) async {
    let tally = Tally()
    let context = Context(
      state: State(), system: spinner(isAsynchronous: isAsynchronous, tally),
      executor: venue.executor(), runawayLimit: nil)
    let running = context.start()
    context.send(.started)
    await tally.reaches(5_000)
    await context.send(.stopped).settled()
    let state = await context.state
    #expect(!state.isGoing)
    #expect(state.count - state.countAtStop <= 1)
    running.stop()
    await running.ended()
  }

  @Test func aLongQueueAtTheStartIsHandledInTurnsToo() async {
    let executor = DeterministicExecutor()
    let tally = Tally()
    let passes = Journal<Int>()
    let system = Sum(
      { state, event in
        state += event
        tally.increment()
      },
      feedbacks: [
        Feedback(.onChanged(\.self)) { state in
          passes.note(state)
          return nil
        }
      ])
    let context = Context(state: 0, system: system, executor: .serial(executor))
    for _ in 0..<100_000 { context.send(1) }
    let running = context.start()
    var most = 0
    var before = 0
    while executor.readyCount > 0 {
      executor.runOne()
      most = max(most, tally.count - before)
      before = tally.count
    }
    #expect(tally.count == 100_000)
    #expect(most <= 10_000)
    #expect(passes.entries == [100_000])
    running.stop()
    executor.runUntilIdle()
    await running.ended()
  }
}
