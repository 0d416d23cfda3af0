/// What the command line asks for.
struct Options {
  /// Something that the command line may not say.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  static let usage = "[--json] [--smoke] [--only NAME[,NAME]] [--clock wall|cpu]"

  /// One JSON object a line instead of the table.
  private(set) var isJSON = false
  /// Tiny sizes and one round: every row is exercised, no figure means anything.
  private(set) var isSmoke = false
  private(set) var clock = BenchmarkClock.wall
  private var names: Set<String>?

  /// How often each row is measured.
  var rounds: Int { isSmoke ? 1 : 9 }

  init(arguments: some Sequence<String>, rows: [String]) throws(Refusal) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "--json": isJSON = true
      case "--smoke": isSmoke = true
      case "--only":
        let asked = rest.next()?.split(separator: ",").map(String.init) ?? []
        if asked.isEmpty { throw Refusal(description: "--only must be followed by names of rows") }
        if let unknown = asked.first(where: { !rows.contains($0) }) {
          throw Refusal(description: "there is no row \(unknown), only \(Self.list(rows))")
        }
        names = Set(asked)
      case "--clock":
        guard let asked = rest.next().flatMap(BenchmarkClock.init) else {
          throw Refusal(description: "--clock must be followed by wall or cpu")
        }
        clock = asked
      default:
        throw Refusal(description: "unknown argument \(argument); accepted: \(Self.usage)")
      }
    }
  }

  /// Whether a row is to be measured: asked for, or needed as what another is compared with.
  func includes(_ row: Row) -> Bool {
    guard let names, row.name != Row.floorName else { return true }
    return names.contains(row.name) || names.contains { Self.references[$0] == row.name }
  }

  /// How many operations one run of a row performs.
  func operations(of row: Row) -> Int {
    isSmoke ? max(row.operations / 100, 1) : row.operations
  }

  private static let references: [String: String] = [
    "feedbacks-1000": "floor-1000", "big-100k": "big-1k", "big-1m": "big-1k",
    "queue-50k": "queue-1k", "send": "dispatch",
    "feed": "asyncstream",
  ]

  private static func list(_ rows: [String]) -> String {
    var seen: Set<String> = []
    return rows.filter { seen.insert($0).inserted }.joined(separator: ", ")
  }
}
