import AsyncFeedback
import Observation
import Synchronization

/// What a waiting event takes, by the books of the allocator before and after a million were sent.
func memoryRows() -> [Row] {
  let bound = Row.Bound.atMost(Double(MemoryLayout<Tally.Event>.size + 32))
  return [
    Row(
      name: "memory", executor: .main, unit: .bytes, operations: 1_000_000, bound: bound,
      note: """
        live bytes by the allocator's books, within the process and at rest, for an event sent to a \
        context whose loop is stopped
        """
    ) { operations in
      fillStopped(operations)
    },
    Row(
      name: "memory-turn", executor: .main, unit: .bytes, operations: 1_000_000, bound: bound,
      note: "the same for an event that an observer sends during a turn"
    ) { operations in
      await fillTurn(operations)
    },
  ]
}

private func makeContext() -> Context<Tally> {
  Context(state: Tally.State(stopwatch: Stopwatch(.wall)), system: Tally(reactions: []))
}

private func fillStopped(_ operations: Int) -> Double {
  let context = makeContext()
  let before = liveBytes()
  for amount in 0..<operations { context.send(.added(amount)) }
  return Double(liveBytes() - before) / Double(operations)
}

@MainActor
private func fillTurn(_ operations: Int) async -> Double {
  let context = makeContext()
  let running = context.start()
  await context.quiet()
  let growth = Growth()
  withObservationTracking {
    _ = context.count
  } onChange: {
    let before = liveBytes()
    for amount in 0..<operations { context.send(.added(amount)) }
    growth.bytes.store(liveBytes() - before, ordering: .relaxed)
  }
  await context.send(.incremented).settled()
  running.stop()
  await running.ended()
  return Double(growth.bytes.load(ordering: .relaxed)) / Double(operations)
}

/// Carries the figure out of the observer.
private final class Growth: Sendable {
  let bytes = Atomic(0)
}
