/// Runs a body under one schedule after the other, until one fails.
struct ScheduleExploration {
  let count: Int
  let strategy: ScheduleStrategy
  let seed: UInt64
  let place: SourcePlace

  typealias Body = nonisolated(nonsending) () async throws -> Void

  /// What there is to try, the next one first.
  private enum Next {
    case seed(UInt64)
    case order(ScheduleOrder)

    func schedule(isQuiet: Bool) -> Schedule {
      switch self {
      case .seed(let seed): Schedule(seed: seed, isQuiet: isQuiet)
      case .order(let order): Schedule(order: order, isQuiet: isQuiet)
      }
    }
  }

  /// - Returns: what was gone through, and what to say of the failure.
  nonisolated(nonsending) func run(
    _ body: Body
  ) async -> (exploration: Exploration, report: String?) {
    var next: Next? = strategy == .random ? .seed(seed) : .order([:])
    var tried = 0
    while let current = next, tried < count, !Task.isCancelled {
      let schedule = current.schedule(isQuiet: tried > 0)
      let attempt = await Attempt.run(under: schedule, at: place, body)
      tried += 1
      guard attempt.failure == nil else {
        let finding = await finding(attempt, of: current, number: tried, body)
        show(finding.attempt)
        return (
          Exploration(count: tried, isComplete: false, hasFailed: true), finding.description
        )
      }
      next = following(current, attempt)
    }
    return (Exploration(count: tried, isComplete: next == nil, hasFailed: false), nil)
  }

  /// Shows what has happened in the run that the failure is about, where transcripts are asked for.
  private func show(_ attempt: Attempt) {
    guard let output = Transcript.output else { return }
    let lines = ["\(place): transcripts of the schedule that fails"] + attempt.transcriptLines
    output.write(lines.joined(separator: "\n"))
  }

  private func following(_ current: Next, _ attempt: Attempt) -> Next? {
    let choices = attempt.choices
    switch current {
    case .seed(let seed):
      // Without a choice, all that follow would take the same course.
      return choices.isEmpty ? nil : .seed(seed &+ 1)
    case .order:
      // Depth first: the last choice that has another job to try is tried again.
      guard let last = choices.lastIndex(where: { $0.taken + 1 < $0.count }) else { return nil }
      var order = ScheduleOrder(Array(choices[..<last]))
      order[last] = choices[last].taken + 1
      return .order(order)
    }
  }

  private nonisolated(nonsending) func finding(
    _ failing: Attempt, of current: Next, number: Int, _ body: Body
  ) async -> ScheduleFinding {
    let seed: UInt64? = if case .seed(let seed) = current { seed } else { nil }
    let again = await Attempt.run(under: current.schedule(isQuiet: true), at: place, body)
    var finding = ScheduleFinding(
      number: number, count: count, seed: seed, attempt: failing,
      isReproducible: again.isRepeated(by: failing))
    guard finding.isReproducible else { return finding }
    var shrinker = OrderShrinker(failing)
    await shrinker.shrink { order in
      await Attempt.run(under: Schedule(order: order, isQuiet: true), at: place, body)
    }
    finding.attempt = shrinker.best
    return finding
  }
}
