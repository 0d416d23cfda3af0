internal import AsyncFeedback

/// The breadth-first search of `shortestPath`.
struct PathSearch<System: SystemProtocol> {
  let rehearsal: Rehearsal<System>
  let events: [System.Event]
  let durations: [Duration]
  let limit: Int

  typealias Path = [EventStep<System.Event>]

  /// - Returns: the path, or what went wrong on the way.
  nonisolated(nonsending) func run() async -> (path: Path?, fault: String?) {
    var seen: Set<AnyHashable> = []
    // The paths to run, in the order of their length.
    var open: [Path] = [[]]
    var number = 0
    while number < min(open.count, limit), !Task.isCancelled {
      let path = open[number]
      number += 1
      switch await go(path) {
      case .goal: return (path, nil)
      case .fault(let text): return (nil, text)
      case .position(let position):
        if seen.insert(position).inserted { open += steps.map { path + [$0] } }
      }
    }
    return (nil, nil)
  }

  private enum Place {
    case goal
    case fault(String)
    case position(AnyHashable)
  }

  private var steps: Path {
    events.map { .send($0) } + durations.map { .advance(by: $0) }
  }

  private nonisolated(nonsending) func go(_ path: Path) async -> Place {
    let outcome = await rehearsal.run(path, under: Schedule(order: [:]), locating: true)
    if outcome.finding != nil { return .goal }
    guard let position = outcome.position, !outcome.hasFailed else {
      let steps = path.map { "  \($0)" }.joined(separator: "\n")
      return .fault(
        "the search for a path ended, since these steps fail:\n\(steps)\n"
          + (outcome.attempt.failure?.text ?? "the test was cancelled"))
    }
    return .position(position)
  }
}
