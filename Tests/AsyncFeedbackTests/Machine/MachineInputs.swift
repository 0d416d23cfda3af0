import AsyncFeedback

extension Machine {
  /// Ends a turn: what is due begins.
  @discardableResult
  mutating func beginDue() -> [RunID] {
    let due = runs.filter { $0.run.phase == .due }.map(\.id).sorted { $0.serial < $1.serial }
    return due.filter { begin($0) != nil }
  }
}

extension Machine {
  /// Takes a trigger, and says also the number of one that leads to no run.
  mutating func trigger(_ feedback: Int, key: RunKey?, cause: Cause) -> RunID {
    if let run = fire(feedback, key: key, cause: cause) { return run.id }
    switch effects.last {
    case .overflow(let id, _), .ignore(let id, _): return id
    default: preconditionFailure("a trigger without a run must say why (said nothing)")
    }
  }
}
