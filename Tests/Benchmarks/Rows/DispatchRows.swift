import AsyncFeedback

/// One event that changes the field which the one feedback watches, sent from three places.
func dispatchRows(_ clock: BenchmarkClock) -> [Row] {
  let dispatch = Row.Executor.all.map { executor in
    Row(
      name: "dispatch", executor: executor, operations: 1_000_000, bound: .times(60, of: "floor"),
      note: """
        sent by a feedback's body (Send), which runs in the context's isolation, a thousand at a time; \
        the watching body runs in the loop's task, with no task switch
        """
    ) { operations in
      let context = Context(
        state: Tally.State(stopwatch: Stopwatch(clock)),
        system: Tally(reactions: [Tally.watchingCount, .sending(operations) { _ in .incremented }]),
        executor: executor.forContext)
      return await context.time(operations: operations)
    }
  }
  let view = Row(
    name: "dispatch-view", executor: .main, operations: 200_000,
    note: """
      context.send from main-actor code, reduced before it returns; the watching body must see the \
      loop's task-local values, so each event switches to the loop's task and back
      """
  ) { operations in
    await sendFromMainActor(operations, clock)
  }
  let send = Row.Executor.all.map { executor in
    Row(
      name: "send", executor: executor, operations: 1_000_000, bound: .times(3, of: "dispatch"),
      note: "context.send from a thread outside the executor, until all are reduced"
    ) { operations in
      await sendFromOutside(operations, executor, clock)
    }
  }
  return dispatch + [view] + send
}

@MainActor
private func sendFromMainActor(_ operations: Int, _ clock: BenchmarkClock) async -> Double {
  let context = Context(
    state: Tally.State(stopwatch: Stopwatch(clock)),
    system: Tally(reactions: [Tally.watchingCount]))
  let running = context.start()
  await context.quiet()
  let start = clock.now()
  for _ in 0..<operations { context.send(.incremented) }
  let elapsed = clock.now() - start
  precondition(
    context.count == operations, "each event must be reduced at once (\(context.count) were)")
  running.stop()
  await running.ended()
  return Double(elapsed) / Double(operations)
}

@concurrent
private func sendFromOutside(
  _ operations: Int, _ executor: Row.Executor, _ clock: BenchmarkClock
) async -> Double {
  let context = Context(
    state: Tally.State(stopwatch: Stopwatch(clock)),
    system: Tally(reactions: [Tally.watchingCount]), executor: executor.forContext)
  let running = context.start()
  await context.quiet()
  let start = clock.now()
  for _ in 1..<operations { context.send(.incremented) }
  await context.send(.incremented).value
  let elapsed = clock.now() - start
  running.stop()
  await running.ended()
  return Double(elapsed) / Double(operations)
}
