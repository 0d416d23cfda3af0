internal import AsyncFeedback

/// Runs one sequence of random steps after the other, each under a random schedule, until one fails.
struct EventExploration<System: SystemProtocol> {
  let rehearsal: Rehearsal<System>
  let events: EventGenerator<System>
  let durations: [Duration]
  let length: Int
  let count: Int
  let seed: UInt64

  /// - Returns: what was gone through, and what to say of the failure.
  nonisolated(nonsending) func run() async -> (exploration: Exploration, report: String?) {
    for number in 0..<count where !Task.isCancelled {
      let seed = seed &+ UInt64(number)
      let outcome = await run(seed: seed)
      guard outcome.finding != nil || outcome.hasFailed else { continue }
      let again = await run(seed: seed)
      var finding = EventFinding<System>(
        number: number + 1, count: count, seed: seed, state: rehearsal.state, outcome: outcome,
        isReproducible: again.isLike(outcome) && again.attempt.choices == outcome.attempt.choices)
      if finding.isReproducible {
        var shrinker = EventShrinker(outcome, rehearsal)
        await shrinker.shrink()
        finding.outcome = shrinker.best
      }
      return (
        Exploration(count: number + 1, isComplete: false, hasFailed: true), finding.description
      )
    }
    return (Exploration(count: count, isComplete: false, hasFailed: false), nil)
  }

  private nonisolated(nonsending) func run(seed: UInt64) async -> Rehearsal<System>.Outcome {
    // The numbers of the schedule are others: it draws them by the same seed, for its own use.
    var numbers = SeededGenerator(seed: ~seed)
    var left = length
    var mayLetGo = false
    return await rehearsal.run(under: Schedule(seed: seed)) { context in
      guard left > 0 else {
        // What the last event leads to is part of the sequence.
        defer { mayLetGo = false }
        return mayLetGo ? .settle : nil
      }
      left -= 1
      let step = makeStep(mayLetGo, in: context, &numbers)
      mayLetGo = step.event != nil
      return step
    }
  }

  /// Mostly sends; sometimes time passes, or what goes on goes on.
  private func makeStep(
    _ mayLetGo: Bool, in context: TestContext<System>, _ numbers: inout SeededGenerator
  ) -> EventStep<System.Event> {
    let mayAdvance =
      !durations.isEmpty && (rehearsal.hasOwnClock || !context.executor.clocks.isEmpty)
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0, 1:
      if mayAdvance {
        return .advance(by: durations[Int.random(in: durations.indices, using: &numbers)])
      }
    case 2:
      if mayLetGo { return .settle }
    default:
      break
    }
    return .send(events.makeEvent(context.state, &numbers))
  }
}

extension Rehearsal.Outcome {
  /// Whether another one found the same, or failed in the same way.
  func isLike(_ other: Self) -> Bool {
    finding?.text == other.finding?.text && attempt.failure?.place == other.attempt.failure?.place
  }
}
