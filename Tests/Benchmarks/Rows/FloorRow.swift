/// The least that any loop has to do: call the reducer and compare one field.
func makeFloorRow(clock: BenchmarkClock) -> Row {
  Row(
    name: Row.floorName, executor: .none, operations: 5_000_000,
    note: "a call of the reducer, which is not inlined, and one comparison"
  ) { operations in
    let (changes, elapsed) = countChanges(operations, clock)
    precondition(changes == operations, "each event must change the count (\(changes) did)")
    return Double(elapsed) / Double(operations)
  }
}

private func countChanges(
  _ operations: Int, _ clock: BenchmarkClock
) -> (changes: Int, elapsed: Int) {
  let event = opaque(Tally.Event.incremented)
  var state = opaque(Tally.State(stopwatch: Stopwatch(clock)))
  var seen = state.count
  var changes = 0
  let start = clock.now()
  for _ in 0..<operations {
    Tally.reduce(&state, event)
    if state.count != seen {
      seen = state.count
      changes &+= 1
    }
  }
  return (changes, clock.now() - start)
}
