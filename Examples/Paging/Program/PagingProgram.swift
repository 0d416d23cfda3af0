import AsyncFeedback
import ExampleTerminal
import Foundation
import PagingSystem

@main
@MainActor
final class PagingProgram: Program {
  static let name = "paging"
  static let usage = """
    paging [--limit N] [--timeout SECONDS] \
    [--url BASE | --seed N --latency MILLISECONDS --failure-rate 0...1]
    """
  static let accepted = "load, more, retry, refresh"

  let context: Context<Paging>
  private var view = PagingView()

  static func main() async {
    await Terminal.run(
      PagingProgram.self,
      options: ["--url", "--timeout", "--limit", "--seed", "--latency", "--failure-rate"])
  }

  init(_ arguments: Arguments) throws(Refusal) {
    let limit = try arguments.value(
      of: "--limit", default: 20, "a whole number from 1 to 1000", where: (1...1_000).contains)
    let timeout = try arguments.value(
      of: "--timeout", default: 10.0, "a number of seconds above 0 and up to 86400"
    ) { $0 > 0 && $0 <= 86_400 }
    context = Context(
      state: .init(limit: limit),
      system: Paging(source: try Self.source(arguments), timeout: .seconds(timeout)))
  }

  private static func source(_ arguments: Arguments) throws(Refusal) -> any PostSource {
    let latency = try arguments.value(
      of: "--latency", default: 50, "a whole number of milliseconds",
      where: (0...3_600_000).contains)
    let catalogue = Catalogue(
      seed: try arguments.value(of: "--seed", default: 1, "a whole number from 0") { _ in true },
      latency: .milliseconds(latency),
      failureRate: try arguments.value(
        of: "--failure-rate", default: 0.1, "a number from 0 to 1", where: (0...1).contains))
    guard let address = arguments["--url"] else { return catalogue }
    guard let base = URL(string: address), let scheme = base.scheme?.lowercased(),
      ["http", "https"].contains(scheme), base.host?.isEmpty == false
    else {
      throw .malformed("--url \(quoted(address)) is not an http or https address")
    }
    return WebSource(base: base)
  }

  func perform(_ command: Command) throws(Refusal) {
    guard let event = Self.commands[command.name] else { throw .unknown }
    try command.alone()
    try send(event)
  }

  private static let commands: [String: Paging.Event] = [
    "load": .loadTapped, "more": .moreTapped, "retry": .retryTapped, "refresh": .refreshTapped,
  ]

  func line(of state: Paging.State) -> String {
    let detail =
      switch state.phase {
      case .idle, .loading, .empty: ""
      case .loaded, .loadingMore: state.posts.last.map { " last=\(quoted($0.title))" } ?? ""
      case .failed(let error), .failedMore(let error): " error=\(quoted(error))"
      }
    let end = state.phase == .loaded && state.isAtEnd ? " end=yes" : ""
    return "phase=\(state.phase.name) posts=\(state.posts.count)\(detail)\(end)"
  }

  func press(_ key: Key) throws(Refusal) -> Bool {
    switch key {
    case .up, .character("k"): view.move(by: -1, in: context[\.self])
    case .down, .character("j"): view.move(by: 1, in: context[\.self])
    case .character("l"): try send(.loadTapped)
    case .character("m"): try send(.moreTapped)
    case .character("r"): try send(.retryTapped)
    case .character("f"): try send(.refreshTapped)
    default: return false
    }
    return true
  }

  func frame(of state: Paging.State) -> Frame {
    view.frame(of: state)
  }

  /// Sends the event if it means anything in the phase the list is in.
  private func send(_ event: Paging.Event) throws(Refusal) {
    let state = context[\.self]
    guard state.accepts(event) else { throw .refused(state.phase.advice(isAtEnd: state.isAtEnd)) }
    context.send(event)
  }
}

extension Paging.Phase {
  var name: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .loaded: "loaded"
    case .loadingMore: "loading-more"
    case .failed: "failed"
    case .failedMore: "failed-more"
    case .empty: "empty"
    }
  }

  /// What is possible in this phase, for a command that is not.
  fileprivate func advice(isAtEnd: Bool) -> String {
    switch self {
    case .idle: "nothing is loaded yet; use load"
    case .loading, .loadingMore: "a page is on its way; wait for it, or use refresh"
    case .loaded where isAtEnd: "all posts are loaded; use refresh"
    case .loaded: "the list is loaded; use more or refresh"
    case .failed, .failedMore: "the last page failed; use retry or refresh"
    case .empty: "there are no posts; use refresh"
    }
  }
}
