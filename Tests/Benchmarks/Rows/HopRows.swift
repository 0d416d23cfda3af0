import AsyncFeedback

/// A chain in which a feedback on the count causes the event that changes the count again.
func hopRows(_ clock: BenchmarkClock) -> [Row] {
  let synchronous = Row.Executor.all.map { executor in
    Row(
      name: "hop-sync", executor: executor, operations: 100_000, bound: .times(80, of: "floor"),
      note: "a synchronous body answers with the event that triggers it again"
    ) { operations in
      await runChain(
        operations, executor, clock,
        Feedback(.onChanged(\.count)) { state in nextStep(state.count, of: operations) })
    }
  }
  let asynchronous = Row.Executor.all.map { executor in
    Row(
      name: "hop-async", executor: executor, operations: 100_000, bound: .times(600, of: "floor"),
      note: "the same with an asynchronous body, one run per step, that does not suspend"
    ) { operations in
      // The type is stated: a closure without `await` would be a synchronous body.
      let evaluate: nonisolated(nonsending) @Sendable (Tally.State) async -> Tally.Event? = {
        nextStep($0.count, of: operations)
      }
      return await runChain(
        operations, executor, clock, Feedback(.onChanged(\.count), evaluate: evaluate))
    }
  }
  return synchronous + asynchronous
}

/// The first feedback starts the watch at the start of the loop, the second goes on from there.
private func runChain(
  _ operations: Int, _ executor: Row.Executor, _ clock: BenchmarkClock, _ step: Feedback<Tally>
) async -> Double {
  // A chain of this length is what the report of a runaway loop is for.
  let context = Context(
    state: Tally.State(stopwatch: Stopwatch(clock)),
    system: Tally(reactions: [Feedback(.once) { _ in .started }, step]),
    executor: executor.forContext, runawayLimit: nil)
  return await context.time(operations: operations)
}

private func nextStep(_ count: Int, of operations: Int) -> Tally.Event? {
  count < operations ? .incremented : .stopped
}
