internal import AsyncFeedback

extension TestContext {
  /// Records a failure with where the test stands; nothing where a failure has told before
  /// that the loop does not run.
  func record(_ message: String, at place: SourcePlace) {
    guard !isGivenUp else { return }
    reporter.record("\(message)\n\(situation)", at: place)
    // A loop that was never started fails every step.
    if running == nil, finishedAt == nil { isGivenUp = true }
  }

  /// Records what went wrong in the system since the last step.
  @discardableResult
  func reportFaults(at place: SourcePlace) -> Bool {
    let isRestless = reportRestlessness(at: place)
    let faults = transcript.takeFaults()
    for fault in faults { record(fault, at: place) }
    if running != nil, !context.isRunning { isGivenUp = true }
    let hasFaults = isRestless || !faults.isEmpty
    return hasFaults || reportStuckStates(at: place)
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
    record(
      """
      the system did not come to rest within \(executor.patience?.limit ?? limit): \(restless(runs, areSeen: !seen.isEmpty))
      A step ends when nothing is ready any more. Let a body wait for what it waits for (a stream, a \
      clock, a callback) and not look again and again, and let it end when it is cancelled. The loop \
      is stopped.
      """, at: place)
    isGivenUp = true
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

  /// A run and what has started it.
  func text(of run: RunInfo) -> String {
    run.startedBy == 0
      ? "\(run), started with the loop" : "\(run), started by event #\(run.startedBy)"
  }

  /// Where the test stands: for the end of each failure.
  var situation: String {
    let driver = context.driver
    var lines = ["state: \(describe(state, limit: 500))"]
    lines += list("waiting", driver.waiting) { text(of: $0) }
    let alive = driver.aliveRuns
    if alive.isEmpty { lines.append("alive: nothing") }
    lines += list("alive", alive) { run in
      text(of: run.info)
        + (heldNote(run.info) ?? (run.run.isParked ? ", waits inside the library" : ""))
    }
    lines += asleep
    let course = transcript.text(last: 50)
    lines.append(course.isEmpty ? "transcript: empty" : "transcript:\n\(course)")
    return lines.joined(separator: "\n")
  }

  /// A list under its title, of which the first are written out: nobody reads ten thousand.
  private func list<Item>(_ title: String, _ items: [Item], text: (Item) -> String) -> [String] {
    guard !items.isEmpty else { return [] }
    let shown = 20
    let rest = items.count > shown ? ["  … and \(items.count - shown) more"] : []
    return ["\(title):"] + items.prefix(shown).map { "  \(text($0))" } + rest
  }

  /// What is asleep, and in which run.
  private var asleep: [String] {
    let alive = context.driver.aliveRuns.map(\.info)
    let all =
      sleepers.map { ($0, "") }
      + foreignSleepers.map { ($0, ", on a clock that is not moved here") }
    return list("asleep", all) { sleeper, note in
      let run = alive.first { sleeper.job != nil && transcript.job(of: $0) == sleeper.job }
      let place = run.map { ", in \($0.feedback.name)" } ?? (all.count == 1 ? paceNote : "")
      return "\(sleeper)\(place)\(note)"
    }
  }

  /// Names the feedback whose pace the only sleeper is, where it can be no other.
  private var paceNote: String {
    guard context.driver.isWaitingForPace, context.driver.aliveRuns.isEmpty,
      let name = desk.onlyPaced
    else { return "" }
    return ", for the pace of \(name)"
  }
}
