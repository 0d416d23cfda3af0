/// What the standard library's own queue between tasks takes for an element.
func streamRows(_ clock: BenchmarkClock) -> [Row] {
  [
    Row(
      name: "asyncstream", executor: .none, operations: 1_000_000,
      note: """
        for scale: an element of a plain AsyncStream that keeps the newest, with room for all, from one \
        task to a nonisolated consumer
        """
    ) { operations in
      await consume(operations, clock)
    }
  ]
}

@concurrent
private func consume(_ operations: Int, _ clock: BenchmarkClock) async -> Double {
  let (stream, continuation) = AsyncStream.makeStream(
    of: Tally.Event.self, bufferingPolicy: .bufferingNewest(operations))
  let start = clock.now()
  Task.detached {
    for _ in 0..<operations { continuation.yield(.incremented) }
    continuation.finish()
  }
  var count = 0
  for await _ in stream { count += 1 }
  let elapsed = clock.now() - start
  precondition(count == operations, "each element must arrive (\(count) did)")
  return Double(elapsed) / Double(operations)
}
