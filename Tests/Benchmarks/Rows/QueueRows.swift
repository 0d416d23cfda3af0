import AsyncFeedback
import Observation

/// An observer that sends many events in one go, in the middle of a transition: all of them are queued.
func queueRows(_ clock: BenchmarkClock) -> [Row] {
  [("queue-1k", 1_000), ("queue-50k", 50_000)].map { name, length in
    Row(
      name: name, executor: .main, operations: 50_000,
      bound: length == 50_000 ? .times(1.3, of: "queue-1k") : nil,
      note: """
        the callback of withObservationTracking sends \(length) increments in one go, from its first \
        send until the last is reduced
        """
    ) { operations in
      await fillQueue(operations, length: min(length, operations), clock)
    }
  }
}

@concurrent
private func fillQueue(_ operations: Int, length: Int, _ clock: BenchmarkClock) async -> Double {
  let context = Context(
    state: Tally.State(stopwatch: Stopwatch(clock)),
    system: Tally(reactions: [Tally.watchingCount]))
  let running = context.start()
  await context.quiet()
  for _ in 0..<(operations / length) {
    await sendWhenCountChanges(length, to: context)
    // From outside, so that the transition and what follows it are the loop's own turns.
    await context.send(.incremented).value
    await context.quiet()
  }
  let elapsed = await context.state.stopwatch.elapsed
  running.stop()
  await running.ended()
  return Double(elapsed) / Double(operations)
}

@MainActor
private func sendWhenCountChanges(_ length: Int, to context: Context<Tally>) {
  withObservationTracking {
    _ = context.count
  } onChange: {
    context.send(.started)
    for _ in 0..<length { context.send(.incremented) }
    context.send(.stopped)
  }
}
