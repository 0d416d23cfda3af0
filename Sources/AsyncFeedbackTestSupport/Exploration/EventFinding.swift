internal import AsyncFeedback

/// A sequence of steps that fails.
struct EventFinding<System: SystemProtocol>: CustomStringConvertible {
  let number: Int
  let count: Int
  let seed: UInt64
  let state: System.State
  /// The run to show: that of the shortest sequence, if one was looked for.
  var outcome: Rehearsal<System>.Outcome
  let isReproducible: Bool

  var description: String {
    var lines = ["sequence \(number) of \(count) failed, that of seed \(seed)."]
    lines += isReproducible ? [] : Self.notReproducible
    if let finding = outcome.finding {
      lines.append(
        "\(finding.text) \(finding.event.map { "after \($0)" } ?? "in the state to begin with")")
      lines += finding.changes.map { "  \($0)" }
    }
    if isReproducible {
      lines.append("exploreEvents(…, sequences: 1, seed: \(seed)) repeats it exactly.")
      lines.append("The shortest failing sequence found:")
    } else {
      lines.append("The sequence:")
    }
    lines += test.map { "  \($0)" }
    if let failure = outcome.attempt.failure {
      lines.append(failure.text)
    } else {
      lines += outcome.attempt.transcriptLines
    }
    return lines.joined(separator: "\n")
  }

  private static var notReproducible: [String] {
    [
      """
      It cannot be repeated: the same seed took another course the next time. So the system depends on \
      more than its events and the order of what is ready, such as real time, random numbers, or tasks \
      outside of the executor.
      """
    ]
  }

  /// The state to begin with, as a test makes it.
  private var stateText: String {
    let text = describe(state, limit: 10_000)
    let name = "\(type(of: state))("
    return text.hasPrefix(name) ? ".init(\(text.dropFirst(name.count))" : text
  }

  /// The sequence as a test.
  private var test: [String] {
    let make = "let context = TestContext(state: \(stateText), system: …)"
    let steps =
      [make, "await context", "  .run()"] + outcome.steps.map { "  \($0)" }
    let order = outcome.attempt.order
    guard !order.isEmpty else { return steps }
    return ["await exploreSchedules(order: \(order)) {"] + steps.map { "  \($0)" } + ["}"]
  }
}
