/// A schedule under which a body fails.
struct ScheduleFinding: CustomStringConvertible {
  /// How many schedules were run, this one included.
  let number: Int
  let count: Int
  /// The seed of the schedule, unless it is one of all orders.
  let seed: UInt64?
  /// The run to show: that in the shortest order, if one was looked for.
  var attempt: Attempt
  let isReproducible: Bool

  var description: String {
    var lines = [
      "schedule \(number) of \(count) failed\(seed.map { ", that of seed \($0)" } ?? "")."
    ]
    if !isReproducible {
      lines.append(
        """
        It cannot be repeated: the same schedule took another course the next time. So the body \
        depends on more than the order of what is ready, such as real time, random numbers, or tasks \
        outside of the executor. Give it a TestClock, seeds, and answers of its own. This is the first \
        failure:
        """)
    } else {
      if let seed { lines.append("exploreSchedules(1, seed: \(seed)) repeats it exactly.") }
      lines.append(
        attempt.order.isEmpty
          ? "It fails, too, when all that is ready goes in the order it came:"
          : """
          exploreSchedules(order: \(attempt.order)) repeats the shortest failing order found: at these \
          choices the job at that place goes, and else the one at place 0, which waits longest.
          """)
    }
    lines += attempt.report
    return lines.joined(separator: "\n")
  }
}

extension Attempt {
  /// The first failure, and what has happened in the contexts if it does not say that itself.
  var report: [String] {
    guard let failure else { return [] }
    var lines = ["\(failure.place): \(failure.text)"]
    if failures.count > 1 {
      lines.append("(and \(failures.count - 1) more after it)")
    }
    if !failure.text.contains("\ntranscript:") { lines += transcriptLines }
    return lines
  }

  /// What has happened in the contexts.
  var transcriptLines: [String] {
    transcripts.enumerated().flatMap { number, transcript in
      [transcripts.count == 1 ? "transcript:" : "transcript of context \(number + 1):"]
        + transcript.lines.map { "  \($0)" }
    }
  }
}
