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
