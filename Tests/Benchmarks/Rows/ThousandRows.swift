import AsyncFeedback

private let fieldCount = 1_000

/// A thousand fields are looked at after each event, of which one has changed.
///
/// The fields are the elements of an array: a struct of a thousand properties takes minutes to compile.
func thousandRows(_ clock: BenchmarkClock) -> [Row] {
  [
    Row(
      name: "floor-1000", executor: .none, operations: 10_000,
      note: """
        the reducer, and 1000 fields compared by hand with the values last seen, each by a call of one \
        function that is not inlined, since the loop would become vector instructions otherwise
        """
    ) { operations in
      let (changes, elapsed) = compareByHand(operations, clock)
      precondition(changes == operations, "each event must change a field (\(changes) did)")
      return Double(elapsed) / Double(operations)
    },
    Row(
      name: "feedbacks-1000", executor: .background, operations: 10_000,
      bound: .times(2.5, of: "floor-1000"),
      note: "dispatch with 1000 feedbacks on different fields, of which one changes"
    ) { operations in
      let feedbacks = (0..<fieldCount).map { index in
        Feedback<Grid>(.onChanged { $0.cells[index] }) { _ in nil }
      }
      let context = Context(
        state: Grid.State(
          cells: Array(repeating: 0, count: fieldCount), stopwatch: Stopwatch(clock)),
        system: Grid(
          reactions: feedbacks + [.sending(operations) { .cellChanged($0 % fieldCount) }]),
        executor: .background)
      return await context.time(operations: operations)
    },
  ]
}

private func compareByHand(
  _ operations: Int, _ clock: BenchmarkClock
) -> (changes: Int, elapsed: Int) {
  var state = opaque(
    Grid.State(cells: Array(repeating: 0, count: fieldCount), stopwatch: Stopwatch(clock)))
  var seen = state.cells
  var changes = 0
  let start = clock.now()
  // An array would check for each field whether it is shared.
  seen.withUnsafeMutableBufferPointer { seen in
    for operation in 0..<operations {
      Grid.reduce(&state, .cellChanged(operation % fieldCount))
      for index in 0..<fieldCount where hasChanged(state, index, &seen[index]) { changes &+= 1 }
    }
  }
  return (changes, clock.now() - start)
}

/// Compares one field with the value last seen, and keeps it.
@inline(never)
private func hasChanged(_ state: Grid.State, _ index: Int, _ seen: inout Int) -> Bool {
  let present = state.cells[index]
  if present == seen { return false }
  seen = present
  return true
}
