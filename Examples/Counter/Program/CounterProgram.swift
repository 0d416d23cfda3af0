import AsyncFeedback
import CounterSystem
import ExampleTerminal

@main
@MainActor
final class CounterProgram: Program {
  static let name = "counter"
  static let usage = "counter"
  static let accepted = "+, -, set N"

  let context = Context(state: .init(), system: Counter())
  /// The number being typed.
  private var entry: String?

  static func main() async {
    await Terminal.run(CounterProgram.self)
  }

  init(_ arguments: Arguments) {}

  func perform(_ command: Command) throws(Refusal) {
    switch command.name {
    case "+":
      try command.alone()
      try increment()
    case "-":
      try command.alone()
      try decrement()
    case "set":
      context.send(.countEntered(try command.integer()))
    default:
      throw .unknown
    }
  }

  func line(of state: Counter.State) -> String {
    let message = state.message.map { " message=\(quoted($0))" } ?? ""
    return "count=\(state.count)\(message)"
  }

  func press(_ key: Key) throws(Refusal) -> Bool {
    if entry != nil { return try type(key) }
    switch key {
    case .character("+"), .up: try increment()
    case .character("-"), .down: try decrement()
    case .character("s"): entry = ""
    default: return false
    }
    return true
  }

  func frame(of state: Counter.State) -> Frame {
    let help: StyledText =
      if let entry {
        "set to " + StyledText("\(entry)_", .bold)
          + StyledText("   enter: set   escape: back", .faint)
      } else {
        StyledText("+ - count   s set   q quit", .faint)
      }
    return Frame(
      header: [
        "count  " + StyledText("\(state.count)", .bold),
        StyledText(state.message ?? "", .green),
      ],
      footer: [help])
  }

  private func increment() throws(Refusal) {
    guard context.count < .max else {
      throw .refused("the count is as large as it can be; use - or set N")
    }
    context.send(.incremented)
  }

  private func decrement() throws(Refusal) {
    guard context.count > .min else {
      throw .refused("the count is as small as it can be; use + or set N")
    }
    context.send(.decremented)
  }

  private func type(_ key: Key) throws(Refusal) -> Bool {
    switch key {
    case .enter:
      defer { entry = nil }
      context.send(.countEntered(try Command("set \(entry ?? "")").integer()))
    case .escape: entry = nil
    default: _ = entry?.edit(with: key)
    }
    return true
  }
}
