import AsyncFeedback
import ExampleTerminal
import Foundation
import TickerSystem

@main
@MainActor
final class TickerProgram: Program {
  static let name = "ticker"
  static let usage = "ticker [--rows N] [--patience SECONDS] [--url URL | --teams N --seed N]"
  static let accepted = "burst N, await N, pause, resume, rows N"

  let context: Context<Ticker>
  private let isEmbedded: Bool
  private let view = TickerView()

  static func main() async {
    await Terminal.run(
      TickerProgram.self, options: ["--url", "--teams", "--seed", "--rows", "--patience"])
  }

  init(_ arguments: Arguments) throws(Refusal) {
    let rows = try arguments.value(
      of: "--rows", default: 10, "a whole number from 0 to 1000", where: (0...1_000).contains)
    let patience = try arguments.value(
      of: "--patience", default: 10.0, "a number of seconds above 0 and up to 86400"
    ) { $0 > 0 && $0 <= 86_400 }
    isEmbedded = arguments["--url"] == nil
    context = Context(
      state: .init(rows: rows),
      system: Ticker(
        source: try Self.source(arguments), patience: .seconds(patience),
        // A script says itself when something changes.
        trickle: isEmbedded && Terminal.isInteractive
          ? .init(count: 200, interval: .milliseconds(250)) : nil))
  }

  private static func source(_ arguments: Arguments) throws(Refusal) -> any ScoreSource {
    let board = ScoreBoard(
      teams: try arguments.value(
        of: "--teams", default: 20, "a whole number from 1 to 10000", where: (1...10_000).contains),
      seed: try arguments.value(of: "--seed", default: 1, "a whole number from 0") { _ in true })
    guard let address = arguments["--url"] else { return board }
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), url.host?.isEmpty == false
    else {
      throw .malformed("--url \(quoted(address)) is not an http or https address")
    }
    return WebScores(url)
  }

  func perform(_ command: Command) throws(Refusal) {
    switch command.name {
    case "burst": try burst(number(command, atLeast: 1))
    case "await": context.send(.scoresAwaited(try number(command, atLeast: 0)))
    case "rows": context.send(.rowsChanged(try number(command, atLeast: 0)))
    case "pause":
      try command.alone()
      try pause()
    case "resume":
      try command.alone()
      try resume()
    default: throw .unknown
    }
  }

  private func number(_ command: Command, atLeast least: Int) throws(Refusal) -> Int {
    let number = try command.integer()
    guard (least...1_000_000).contains(number) else {
      throw .malformed("\(number) is not a whole number from \(least) to 1000000")
    }
    return number
  }

  private func burst(_ count: Int) throws(Refusal) {
    guard isEmbedded else {
      throw .refused("the server decides when there are scores; use await N")
    }
    context.send(.burstTapped(count))
  }

  private func pause() throws(Refusal) {
    guard context[\.phase] == .live else { throw .refused("nothing is followed now; use resume") }
    context.send(.pauseTapped)
  }

  private func resume() throws(Refusal) {
    guard context[\.phase] != .live else { throw .refused("the scores are followed; use pause") }
    context.send(.resumeTapped)
  }

  func line(of state: Ticker.State) -> String {
    let counts = state.counts
    let leaders = state.leaders.map { "\($0.team) \($0.points)" }.joined(separator: ", ")
    let error = if case .failed(let error) = state.phase { " error=\(quoted(error))" } else { "" }
    return """
      phase=\(state.phase.name) teams=\(state.points.count) received=\(counts.received) \
      coalesced=\(counts.coalesced) dropped=\(counts.dropped) restarts=\(counts.restarts) \
      reconnects=\(state.connection.reconnects)\(state.isLate ? " late=yes" : "") \
      leaders=\(quoted(leaders))\(error)
      """
  }

  func press(_ key: Key) throws(Refusal) -> Bool {
    switch key {
    case .character("p"): if context[\.phase] == .live { try pause() } else { try resume() }
    case .character("b"): try burst(100_000)
    case .character("+"), .down: context.send(.rowsChanged(min(context[\.rows] + 1, 1_000)))
    case .character("-"), .up: context.send(.rowsChanged(max(context[\.rows] - 1, 0)))
    default: return false
    }
    return true
  }

  func frame(of state: Ticker.State) -> Frame {
    view.frame(of: state, canBurst: isEmbedded)
  }
}
