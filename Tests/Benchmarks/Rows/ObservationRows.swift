import AsyncFeedback
import Observation

/// A view that reads a hundred fields, of which one changes.
func observationRows(_ clock: BenchmarkClock) -> [Row] {
  [
    Row(
      name: "observe", executor: .main, operations: 2_000,
      note: """
        context.send from main-actor code, with 100 fields tracked by withObservationTracking, of \
        which one changes; all 100 are read and tracked again
        """
    ) { operations in
      await observe(operations, clock)
    }
  ]
}

@MainActor
private func observe(_ operations: Int, _ clock: BenchmarkClock) async -> Double {
  let context = Context(state: Panel.State(), system: Panel())
  let running = context.start()
  await context.quiet()
  let paths = Panel.paths
  var sum = 0
  let start = clock.now()
  for _ in 0..<operations {
    withObservationTracking {
      for path in paths { sum &+= context[path] }
    } onChange: {
    }
    context.send(.bumped)
  }
  let elapsed = clock.now() - start
  precondition(
    sum == operations * (operations - 1) / 2, "each read must be fresh (the sum was \(sum))")
  running.stop()
  await running.ended()
  return Double(elapsed) / Double(operations)
}
