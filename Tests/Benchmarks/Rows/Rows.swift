/// All rows, in the order of the table.
func makeRows(clock: BenchmarkClock) -> [Row] {
  floorRows(clock) + dispatchRows(clock) + hopRows(clock) + bigRows(clock) + thousandRows(clock)
    + observationRows(clock) + queueRows(clock) + streamRows(clock) + memoryRows()
}
