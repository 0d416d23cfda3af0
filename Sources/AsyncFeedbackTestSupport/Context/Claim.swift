internal import AsyncFeedback

/// What a step claims of the change that its event makes, and how that turned out.
struct Claim<State> {
  /// Makes the claimed change in a copy of the state before the event.
  let change: (inout State) -> Void

  /// Compares the claim with what the event did.
  ///
  /// - Parameter subject: what made the change, such as `.loadTapped`.
  /// - Returns: what is wrong, or `nil` if nothing is.
  func fault(of subject: String, from before: State, to after: State) -> String? {
    var claimed = before
    change(&claimed)
    guard !isSame(claimed, after) else { return nil }
    if isSame(before, claimed) {
      return """
        \(subject) changed the state, and the claim says that it does not (before → after):
        \(lines(from: before, to: after))
        Claim the change in the step's closure, or correct the reducer. A step without a closure claims \
        nothing.
        """
    }
    if isSame(before, after) {
      return """
        \(subject) did not change the state, and the claim says that it does (before → claimed):
        \(lines(from: before, to: claimed))
        The reducer does nothing on this event in this state, or an earlier event has made the change. \
        Take the claim away, or correct the reducer.
        """
    }
    return """
      \(subject) changed the state in another way than claimed (claimed → after):
      \(lines(from: claimed, to: after))
      A claim starts from the state before its event, and says all that the event changes. Correct the \
      claim, or the reducer.
      """
  }

  /// Compares only what the claim changes in the state before the event with the state after it.
  func partialFault(of subject: String, from before: State, to after: State) -> String? {
    var claimed = before
    change(&claimed)
    let lines = Self.changes(before, claimed, after, at: [])
    guard !lines.isEmpty else { return nil }
    return """
      \(subject) left the state other than claimed (claimed → after):
      \(lines.map { "  \($0)" }.joined(separator: "\n"))
      What the claim does not set is not compared, since exhaustivity is off. Correct the claim, or the \
      reducer.
      """
  }

  /// How the parts that the claim changes differ from what they are; a structure has parts, other values
  /// are taken whole.
  private static func changes(
    _ before: Any, _ claimed: Any, _ after: Any, at path: [String]
  ) -> [String] {
    if isSame(before, claimed) || isSame(claimed, after) { return [] }
    let parts = [before, claimed, after].map { Mirror(reflecting: $0) }
    let labels = parts[0].children.map(\.label)
    let areStructures = parts.allSatisfy {
      $0.displayStyle == .struct && $0.children.map(\.label) == labels
    }
    guard areStructures, !labels.isEmpty else {
      return Difference(from: claimed, to: after, at: path).lines
    }
    return zip(parts[0].children, zip(parts[1].children, parts[2].children)).flatMap {
      before, others in
      changes(
        before.value, others.0.value, others.1.value, at: path + [before.label ?? ""])
    }
  }

  private func lines(from old: State, to new: State) -> String {
    Difference(from: old, to: new).lines.map { "  \($0)" }.joined(separator: "\n")
  }
}
