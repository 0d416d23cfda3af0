internal import AsyncFeedback

/// Looks at the state after each transition, until it finds something.
final class StateWatch<State: Sendable>: ContextMonitor {
  /// What was found, and the transition that led to it.
  struct Finding: Sendable {
    let text: String
    /// The event and its cause; none for the state to begin with.
    let event: String?
    let changes: [String]
  }

  private struct Progress: Sendable {
    var event = ""
    var finding: Finding?
  }

  private let progress = Lock(Progress())
  private let look: @Sendable (State) -> String?

  /// - Parameter look: what there is to find in a state.
  init(from state: State, look: @escaping @Sendable (State) -> String?) {
    self.look = look
    if let text = look(state) {
      progress.withLock { $0.finding = Finding(text: text, event: nil, changes: []) }
    }
  }

  var finding: Finding? { progress.withLock(\.finding) }

  func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
    switch record {
    case .event:
      let event = PrintMonitor.lines(of: record).first ?? ""
      progress.withLock { $0.event = event }
    case .transition(_, let old, let new):
      guard finding == nil, let state = new as? State, let text = look(state) else { return }
      let changes = Difference(from: old, to: new).lines
      progress.withLock { progress in
        progress.finding = Finding(text: text, event: progress.event, changes: changes)
      }
    default:
      break
    }
  }
}
