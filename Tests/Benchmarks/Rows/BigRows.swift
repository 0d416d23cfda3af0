import AsyncFeedback

/// A big array that nobody watches: the cost of an event must not depend on its size (law 14).
func bigRows(_ clock: BenchmarkClock) -> [Row] {
  [("big-1k", 1_000), ("big-100k", 100_000), ("big-1m", 1_000_000)].map { name, size in
    Row(
      name: name, executor: .background, operations: 500_000,
      bound: size == 1_000_000 ? .times(1.3, of: "big-1k") : nil,
      note: """
        dispatch with one element changed of an array of \(size) that nobody watches, always one of \
        the first 1000; the body of the feedback on another field gets the state with the array
        """
    ) { operations in
      let context = Context(
        state: Grid.State(
          cells: Array(repeating: 0, count: size), stopwatch: Stopwatch(clock)),
        system: Grid(reactions: [
          Feedback(.onChanged(\.count)) { _ in nil },
          .sending(operations) { .cellChanged($0 % 1_000) },
        ]),
        executor: .background)
      return await context.time(operations: operations)
    }
  }
}
