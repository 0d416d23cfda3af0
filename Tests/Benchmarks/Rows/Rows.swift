/// All rows, in the order of the table.
func makeRows(clock: BenchmarkClock) -> [Row] {
  [makeFloorRow(clock: clock)] + dispatchRows(clock) + hopRows(clock) + bigRows(clock)
    + thousandRows(clock) + observationRows(clock) + queueRows(clock) + streamRows(clock)
    + feedRows(clock)
    + memoryRows() + testSupportRows(clock)
}
