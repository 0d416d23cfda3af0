import AsyncFeedback
import AsyncFeedbackTestSupport

/// What the steps of a test cost.
func testSupportRows(_ clock: BenchmarkClock) -> [Row] {
  [
    Row(
      name: "test-step", executor: .main, operations: 5_000, bound: .atMost(50_000),
      note: "a step of a test on the main actor: an event sent with a claim of its change"
    ) { await takeSteps($0, clock, on: MainActor.shared) },
    Row(
      name: "test-step", executor: .none, operations: 5_000,
      note:
        "the same off the main actor, for which the step waits twice: two threads wake each time"
    ) { await takeSteps($0, clock, on: nil) },
    advanceRow(clock),
    Row(
      name: "explore-1000", executor: .main, operations: 1_000,
      note: "a run of a test of two steps in an exploration of 1,000 schedules of two sleepers"
    ) { await explore($0, clock, on: MainActor.shared) },
  ]
}

private func takeSteps(
  _ operations: Int, _ clock: BenchmarkClock, on isolation: isolated (any Actor)?
) async -> Double {
  let context = TestContext(
    state: Tally.State(stopwatch: Stopwatch(clock)), system: Tally(reactions: [Tally.watchingCount])
  )
  context.run()
  let start = clock.now()
  for _ in 0..<operations { await context.send(.incremented) { $0.count += 1 } }
  let elapsed = clock.now() - start
  context.finish()
  return Double(elapsed) / Double(operations)
}

private func advanceRow(_ clock: BenchmarkClock) -> Row {
  Row(
    name: "test-advance", executor: .none, operations: 5_000, bound: .atMost(1_000_000),
    note: "an advance of a test's clock by one period of a timer, which ticks"
  ) { operations in
    let testClock = TestClock()
    let ticking = Feedback<Tally>.every(.seconds(1), clock: testClock) { .incremented }
    let context = TestContext(
      state: Tally.State(stopwatch: Stopwatch(clock)), system: Tally(reactions: [ticking]),
      clock: testClock)
    context.run()
    let start = clock.now()
    for _ in 0..<operations { await context.advance(by: .seconds(1)) }
    let elapsed = clock.now() - start
    precondition(
      context.state.count == operations, "every advance must tick once (was \(context.state.count))"
    )
    context.finish()
    return Double(elapsed) / Double(operations)
  }
}

/// Explores schedules of two bodies that are ready at the same time.
private func explore(
  _ schedules: Int, _ clock: BenchmarkClock, on isolation: isolated (any Actor)?
) async -> Double {
  let state = Tally.State(stopwatch: Stopwatch(clock))
  let start = clock.now()
  let exploration = await exploreSchedules(schedules) {
    let testClock = TestClock()
    let sleeping = (1...2).map { _ in
      Feedback<Tally>(.once) { _ in
        try? await testClock.sleep(for: .seconds(1))
        return .incremented
      }
    }
    let context = TestContext(state: state, system: Tally(reactions: sleeping), clock: testClock)
    await context.run().advance(by: .seconds(1)).send(.incremented).finish()
    precondition(
      context.state.count == 3, "every schedule must count to 3 (was \(context.state.count))")
  }
  let elapsed = clock.now() - start
  precondition(!exploration.hasFailed, "no schedule must fail")
  return Double(elapsed) / Double(schedules)
}
