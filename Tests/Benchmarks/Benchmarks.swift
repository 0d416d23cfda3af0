/// Measures the library as a user's program meets it: from another module, in one process.
///
/// The rows take turns, and a run of the floor stands before each run of a row. A ratio is the median
/// of those found in each round, so that a machine that changes its pace changes it for both.
@main
struct Benchmarks {
  static func main() async {
    let options: Options
    do {
      options = try Options(arguments: CommandLine.arguments.dropFirst(), rows: rowNames)
    } catch {
      printError("benchmarks: \(error)")
      endProgram(2)
    }
    let rows = makeRows(clock: options.clock).filter { options.includes($0) }
    let report = Report(await measure(rows, options), isJudged: !options.isSmoke)
    if options.isJSON { report.printJSON() } else { report.printTable(options) }
  }

  private static var rowNames: [String] {
    makeRows(clock: .wall).map(\.name)
  }

  private static func measure(_ rows: [Row], _ options: Options) async -> [Outcome] {
    let floor = makeFloorRow(clock: options.clock)
    var results = rows.map { Outcome(row: $0) }
    for _ in 0..<options.rounds {
      for (index, row) in rows.enumerated() {
        // The first run after another row is the slower one.
        let first = await floor.measure(options.operations(of: floor))
        let below = min(first, await floor.measure(options.operations(of: floor)))
        results[index].append(await row.measure(options.operations(of: row)), floor: below)
      }
    }
    return results
  }
}
