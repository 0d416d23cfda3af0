/// Measures the library as a user's program meets it: from another module, in one process.
///
/// The rows take turns, and a run of the floor stands before each run of a row, so that a machine that
/// changes its pace changes it for both.
@main
struct Benchmarks {
  static func main() async {
    let options: Options
    do {
      options = try Options(arguments: CommandLine.arguments.dropFirst(), rows: rowNames)
    } catch {
      printError("benchmarks: \(error)")
      exit(2)
    }
    let rows = makeRows(clock: options.clock).filter { options.includes($0) }
    let report = Report(await measure(rows, options), isJudged: !options.isSmoke)
    if options.isJSON { report.printJSON() } else { report.printTable(options) }
  }

  private static var rowNames: [String] {
    makeRows(clock: .wall).map(\.name)
  }

  private static func measure(_ rows: [Row], _ options: Options) async -> [Result] {
    var samples = Array(repeating: [Double](), count: rows.count)
    let floor = rows.firstIndex { $0.name == Row.floorName }
    for _ in 0..<options.rounds {
      for index in rows.indices {
        if let floor, index != floor {
          samples[floor].append(await rows[floor].measure(options.operations(of: rows[floor])))
        }
        samples[index].append(await rows[index].measure(options.operations(of: rows[index])))
      }
    }
    return zip(rows, samples).map { Result(row: $0, samples: $1) }
  }
}
