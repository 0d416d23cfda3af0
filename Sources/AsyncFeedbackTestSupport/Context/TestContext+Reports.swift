internal import AsyncFeedback

extension TestContext {
  /// Records what went wrong in the system since the last step.
  @discardableResult
  func reportFaults(at place: SourcePlace) -> Bool {
    let isRestless = reportRestlessness(at: place)
    let faults = transcript.takeFaults()
    for fault in faults { reporter.record("\(fault)\n\(situation)", at: place) }
    return isRestless || !faults.isEmpty
  }

  /// Records that the system did not come to rest, and stops it.
  @discardableResult
  func reportRestlessness(at place: SourcePlace) -> Bool {
    guard let suspects = executor.takeSuspects() else { return false }
    let alive = context.driver.aliveRuns
    let seen = alive.filter { run in
      transcript.job(of: run.info).map(suspects.contains) ?? false
    }
    // The jobs of what a body calls, such as an actor, tell nothing of the run.
    let runs = (seen.isEmpty ? alive.filter { $0.run.isBusy } : seen).map(\.info)
    reporter.record(
      """
      the system did not come to rest within \(executor.patience?.limit ?? limit): \(restless(runs, areSeen: !seen.isEmpty))
      A step ends when nothing is ready any more. Let a body wait for what it waits for (a stream, a \
      clock, a callback) and not look again and again, and let it end when it is cancelled. The loop \
      is stopped.
      \(situation)
      """, at: place)
    running?.stop()
    running = nil
    context.driver.allow(.max)
    executor.runOwnUntilIdle()
    return true
  }

  private func restless(_ runs: [RunInfo], areSeen: Bool) -> String {
    guard !runs.isEmpty else { return "something is always ready, and no run is going." }
    let list = runs.map { "  \(text(of: $0))" }.joined(separator: "\n")
    let verb = runs.count == 1 ? "is" : "are"
    return areSeen
      ? "always ready again \(verb)\n\(list)" : "something is always ready; going \(verb)\n\(list)"
  }

  /// Records the runs that are still going at the end of the test.
  func reportBusyRuns(at place: SourcePlace) {
    let busy = context.driver.aliveRuns.filter { $0.run.isBusy }
    guard running != nil, !busy.isEmpty else { return }
    let runs = busy.map { "  \(text(of: $0.info))" }.joined(separator: "\n")
    var advice =
      "Let it end: answer what it waits for, advance its clock, or have the state end it."
    if !executor.isSettled {
      advice += """

        A run may be on the main actor, for which this step cannot wait: `await` one that does, such \
        as `settle()`, before `finish()`.
        """
    }
    reporter.record(
      """
      the test finished while \(busy.count == 1 ? "a run was" : "\(busy.count) runs were") going:
      \(runs)
      \(advice)
      \(situation)
      """, at: place)
  }

  private func text(of run: RunInfo) -> String {
    run.startedBy == 0
      ? "\(run), started with the loop" : "\(run), started by event #\(run.startedBy)"
  }

  /// Where the test stands: for the end of each failure.
  var situation: String {
    let driver = context.driver
    var lines = ["state: \(describe(state))"]
    let waiting = driver.waitingEvents
    if !waiting.isEmpty { lines.append("events waiting: \(waiting.joined(separator: ", "))") }
    let alive = driver.aliveRuns.map { run in
      "  \(text(of: run.info))\(run.run.isParked ? ", waits inside the library" : "")"
    }
    lines.append(alive.isEmpty ? "alive: nothing" : "alive:")
    lines += alive
    let asleep = (clock.map { [$0] } ?? executor.clocks).flatMap(\.sleepers)
    if !asleep.isEmpty { lines.append("asleep:") }
    lines += asleep.map { "  \($0)" }
    lines.append("transcript:")
    lines += transcript.lines.map { "  \($0)" }
    return lines.joined(separator: "\n")
  }
}
