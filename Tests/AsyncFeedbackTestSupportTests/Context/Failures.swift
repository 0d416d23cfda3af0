import AsyncFeedback
import AsyncFeedbackTestSupport

/// The failures of a test context whose failing is tested.
struct Failures {
  let log = Log<(message: String, line: UInt)>()
  private let remarks = Log<(message: String, line: UInt)>()

  /// What was said without failing the test.
  var notes: [String] { remarks.entries.map(\.message) }

  var messages: [String] { log.entries.map(\.message) }
  var lines: [UInt] { log.entries.map(\.line) }

  /// What the failures say before they come to the state and all that has happened.
  var heads: [String] {
    messages.map { message in
      let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.prefix { !$0.hasPrefix("state: ") }.joined(separator: "\n")
    }
  }

  func context<System: SystemProtocol>(
    _ state: System.State, _ system: System, held: HeldFeedbacks = .none, clock: TestClock? = nil,
    limit: Duration = .seconds(5), exhaustivity: Exhaustivity = .automatic,
    checksPurity: Bool = false
  ) -> TestContext<System> {
    TestContext(
      state: state, system: system, held: held, clock: clock, limit: limit, runawayLimit: 100_000,
      exhaustivity: exhaustivity, checksPurity: checksPurity,
      reporter: reporter)
  }

  var reporter: FailureReporter {
    FailureReporter(
      sink: { [log] message, place in log.append((message, place.line)) },
      remark: { [remarks] message, place in remarks.append((message, place.line)) })
  }
}

extension Failures {
  /// Takes the failures of an exploration.
  func reporter(line: UInt = #line) -> FailureReporter {
    FailureReporter(line: line) { [log] message, place in log.append((message, place.line)) }
  }
}

/// The text of an exploration's failure without the seed and the order, which an optimised build has others
/// of: its tasks take fewer jobs.
func withoutNumbers(_ text: String) -> String {
  text.replacing(/schedule \d+ of/, with: "schedule N of")
    .replacing(/sequence \d+ of/, with: "sequence N of")
    .replacing(/seed(:?) \d+/) { "seed\($0.1) N" }
    .replacing(/order: \[.*?\]/, with: "order: […]")
}

/// A system of a few fields, with the feedbacks of a test.
struct Sample: SystemProtocol {
  struct State: Equatable {
    var n = 0
    var flag = false
    var done: [Int] = []
    var flags: [Bool] = []
  }

  enum Event: Equatable {
    case go(Int)
    case done(Int)
    case flag(Bool)
    case flagNoted
  }

  private let list: [Feedback<Self>]

  init(_ list: Feedback<Self>...) {
    self.list = list
  }

  init(_ list: [Feedback<Self>]) {
    self.list = list
  }

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .go(let number): state.n = number
      case .done(let number): state.done.append(number)
      case .flag(let flag): state.flag = flag
      case .flagNoted: state.flags.append(state.flag)
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] { list }
}
