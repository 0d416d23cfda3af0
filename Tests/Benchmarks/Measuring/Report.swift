/// The results of one run, as a table or as JSON.
struct Report {
  /// One row with what was found about it.
  private struct Line {
    let result: Outcome
    /// The median as a multiple of the floor's, for a row that is measured in time.
    let toFloor: Double?
    let bound: String?
    /// What stands against the bound: a multiple of the reference, or the median itself.
    let reached: Double?
    let isMet: Bool?
  }

  private let lines: [Line]

  /// - Parameter isJudged: whether the sizes were such that a bound can be held against the figures.
  init(_ results: [Outcome], isJudged: Bool) {
    lines = results.map { result in
      let isTime = result.row.unit == .nanoseconds
      var bound: String?
      var limit: Double?
      var reached: Double?
      switch result.row.bound {
      case .times(let factor, let name):
        let reference = Self.reference(name, for: result.row, in: results)
        bound = "<= \(Self.number(factor)) x \(name)"
        limit = factor
        reached = name == Row.floorName ? result.toFloor : reference.map { result.ratio(to: $0) }
      case .atMost(let most):
        bound = "<= \(Self.number(most)) \(result.row.unit.rawValue)"
        limit = most
        reached = result.median
      case nil:
        break
      }
      return Line(
        result: result, toFloor: isTime ? result.toFloor : nil, bound: bound, reached: reached,
        isMet: isJudged ? reached.flatMap { reached in limit.map { reached <= $0 } } : nil)
    }
  }

  /// The row that another is compared with: on the same executor, if there is one.
  private static func reference(_ name: String, for row: Row, in results: [Outcome]) -> Outcome? {
    results.first { $0.row.name == name && $0.row.executor == row.executor }
      ?? results.first { $0.row.name == name }
  }

  func printTable(_ options: Options) {
    let header = ["name", "executor", "median", "minimum", "x floor", "bound", "reached", "met"]
    let rows = lines.map { line in
      let unit = line.result.row.unit.rawValue
      return [
        line.result.row.name, line.result.row.executor.rawValue,
        "\(Self.number(line.result.median)) \(unit)", "\(Self.number(line.result.minimum)) \(unit)",
        line.toFloor.map(Self.number) ?? "", line.bound ?? "",
        line.reached.map(Self.number) ?? "", line.isMet.map { $0 ? "yes" : "NO" } ?? "",
      ]
    }
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    for row in [header] + rows {
      let cells = row.indices.map { column in
        let gap = String(repeating: " ", count: widths[column] - row[column].count)
        return (2...4).contains(column) || column == 6 ? gap + row[column] : row[column] + gap
      }
      print(cells.joined(separator: "  ").trimmedAtEnd)
    }
    print("")
    print("\(options.clock.rawValue) clock, rounds: \(options.rounds)")
    var seen: Set<String> = []
    for row in lines.map(\.result.row) where seen.insert(row.name).inserted {
      print("\(row.name): \(row.note)")
    }
  }

  func printJSON() {
    for line in lines {
      let row = line.result.row
      var fields = [
        ("name", Self.quoted(row.name)), ("executor", Self.quoted(row.executor.rawValue)),
        ("unit", Self.quoted(row.unit.rawValue)), ("median", Self.number(line.result.median)),
        ("minimum", Self.number(line.result.minimum)),
      ]
      if let toFloor = line.toFloor { fields.append(("floorRatio", Self.number(toFloor))) }
      if let bound = line.bound { fields.append(("bound", Self.quoted(bound))) }
      if let reached = line.reached { fields.append(("reached", Self.number(reached))) }
      if let isMet = line.isMet { fields.append(("isMet", "\(isMet)")) }
      fields.append(("note", Self.quoted(row.note)))
      print("{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}")
    }
  }

  /// Two decimals for small figures, none for large ones.
  private static func number(_ value: Double) -> String {
    guard value < 100 else { return "\(Int(value.rounded()))" }
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

extension String {
  fileprivate var trimmedAtEnd: Substring {
    self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
  }
}
