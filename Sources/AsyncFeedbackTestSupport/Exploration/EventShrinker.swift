internal import AsyncFeedback

/// Looks for the shortest steps, and then the shortest order, that lead to the same failure.
struct EventShrinker<System: SystemProtocol> {
  private(set) var best: Rehearsal<System>.Outcome
  private let rehearsal: Rehearsal<System>
  private var budget = 2_000

  init(_ failing: Rehearsal<System>.Outcome, _ rehearsal: Rehearsal<System>) {
    best = failing
    self.rehearsal = rehearsal
  }

  nonisolated(nonsending) mutating func shrink() async {
    _ = await isTaken(best.steps, [:])
    await leaveOutSteps()
    guard !best.attempt.order.isEmpty else { return }
    await shrinkOrder()
  }

  /// Leaves steps out, many at a time and then each, as long as something goes.
  private nonisolated(nonsending) mutating func leaveOutSteps() async {
    var length: Int
    repeat {
      length = best.steps.count
      var size = max(1, length / 2)
      while size > 0 {
        var start = 0
        while start < best.steps.count, budget > 0 {
          var steps = best.steps
          steps.removeSubrange(start..<min(start + size, steps.count))
          if await !isTaken(steps) { start += size }
        }
        size /= 2
      }
    } while best.steps.count < length && budget > 0
  }

  /// Tries steps in the order they came, in the order of the best, and in a few others: the choices of an
  /// order mean something else where steps are missing.
  private nonisolated(nonsending) mutating func isTaken(
    _ steps: [EventStep<System.Event>]
  ) async -> Bool {
    if await isTaken(steps, [:]) { return true }
    guard !best.attempt.order.isEmpty else { return false }
    if await isTaken(steps, best.attempt.order) { return true }
    for seed in UInt64(1)...16 where await isTaken(steps, under: Schedule(seed: seed)) {
      return true
    }
    return false
  }

  private nonisolated(nonsending) mutating func isTaken(
    _ steps: [EventStep<System.Event>], _ order: ScheduleOrder
  ) async -> Bool {
    await isTaken(steps, under: Schedule(order: order))
  }

  private nonisolated(nonsending) mutating func isTaken(
    _ steps: [EventStep<System.Event>], under schedule: Schedule
  ) async -> Bool {
    guard budget > 0 else { return false }
    budget -= 1
    let outcome = await rehearsal.run(steps, under: schedule)
    guard outcome.isLike(best) else { return false }
    best = outcome
    return true
  }

  private nonisolated(nonsending) mutating func shrinkOrder() async {
    let (rehearsal, steps) = (rehearsal, best.steps)
    var latest = best
    var shrinker = OrderShrinker(best.attempt.marked(latest.isLike(best)))
    let failing = best
    await shrinker.shrink { order in
      let outcome = await rehearsal.run(steps, under: Schedule(order: order))
      let isLike = outcome.isLike(failing)
      if isLike { latest = outcome }
      return outcome.attempt.marked(isLike)
    }
    best = latest
  }
}

extension Attempt {
  /// The same run with one failure, whose place says whether it is the one that is looked for.
  fileprivate func marked(_ isWanted: Bool) -> Attempt {
    Attempt(
      choices: choices, failures: [.init(text: "", place: isWanted ? "wanted" : "other")],
      transcripts: transcripts)
  }
}
