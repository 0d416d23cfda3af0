import AsyncFeedback

/// One workload: what is measured, how often, and what it may cost.
struct Row: Sendable {
  static let floorName = "floor"

  /// Where the context of a row lives.
  enum Executor: String, CaseIterable, Sendable {
    /// The row has no context.
    case none = "-"
    case main
    case background

    /// The executor for a new context.
    var forContext: ContextExecutor {
      self == .background ? .background : .main
    }

    /// Those that a context can live on.
    static let all: [Self] = [.main, .background]
  }

  enum Bound: Sendable {
    /// At most so many times another row of the same run and, if it has one, the same executor.
    case times(Double, of: String)
    /// At most so many of the row's own unit.
    case atMost(Double)
  }

  enum Unit: String, Sendable {
    case nanoseconds = "ns"
    case bytes = "B"
  }

  let name: String
  let executor: Executor
  var unit = Unit.nanoseconds
  /// How many operations one run performs.
  let operations: Int
  var bound: Bound?
  /// What one operation is, for the reader of the table.
  let note: String
  /// Performs so many operations and returns what one of them took, in the row's unit.
  let measure: @Sendable (_ operations: Int) async -> Double
}

/// What the runs of a row have taken, one sample a round.
struct Outcome: Sendable {
  let row: Row
  private(set) var samples: [Double] = []
  /// What the floor took right before each of them.
  private var floors: [Double] = []

  init(row: Row) {
    self.row = row
  }

  mutating func append(_ sample: Double, floor: Double) {
    samples.append(sample)
    floors.append(floor)
  }

  var median: Double { Self.median(of: samples) }

  var minimum: Double { samples.min() ?? 0 }

  /// The multiple of the floor.
  var toFloor: Double { Self.ratio(samples, floors) }

  /// The multiple of another row.
  func ratio(to reference: Outcome) -> Double {
    Self.ratio(samples, reference.samples)
  }

  /// The median of the ratios found in each round.
  private static func ratio(_ samples: [Double], _ references: [Double]) -> Double {
    median(of: zip(samples, references).map { $0 / $1 })
  }

  private static func median(of samples: [Double]) -> Double {
    samples.sorted()[samples.count / 2]
  }
}
