/// Looks for the shortest order under which a body fails in the same place.
struct OrderShrinker {
  /// How many more times the body may be run.
  private(set) var budget: Int
  private(set) var best: Attempt

  init(_ failing: Attempt, budget: Int = 500) {
    best = failing
    self.budget = budget
  }

  /// Leaves choices out, many at a time and then each, and lowers those that stay.
  ///
  /// Where several stay, each order with a single choice is tried too.
  nonisolated(nonsending) mutating func shrink(
    _ run: nonisolated(nonsending) (ScheduleOrder) async -> Attempt
  ) async {
    if await isTaken([:], run) { return }
    var length: Int
    repeat {
      length = weight(best.order)
      await leaveOut(run)
      await lower(run)
    } while weight(best.order) < length && budget > 0
    if best.order.count > 1 { await trySingleChoices(run) }
  }

  private func weight(_ order: ScheduleOrder) -> Int {
    order.positions.reduce(0) { $0 + order[$1] }
  }

  /// Runs the body in an order, and keeps the order if it fails in the same place.
  private nonisolated(nonsending) mutating func isTaken(
    _ order: ScheduleOrder, _ run: nonisolated(nonsending) (ScheduleOrder) async -> Attempt
  ) async -> Bool {
    guard budget > 0 else { return false }
    budget -= 1
    let attempt = await run(order)
    guard attempt.failure?.place == best.failure?.place else { return false }
    best = attempt
    return true
  }

  private nonisolated(nonsending) mutating func leaveOut(
    _ run: nonisolated(nonsending) (ScheduleOrder) async -> Attempt
  ) async {
    var size = best.order.count
    while size > 0 {
      var start = 0
      while start < best.order.count, budget > 0 {
        let chunk = best.order.positions.dropFirst(start).prefix(size)
        if await !isTaken(best.order.without(chunk), run) { start += size }
      }
      size /= 2
    }
  }

  private nonisolated(nonsending) mutating func lower(
    _ run: nonisolated(nonsending) (ScheduleOrder) async -> Attempt
  ) async {
    for position in best.order.positions {
      for place in 1..<max(1, best.order[position]) {
        var order = best.order
        order[position] = place
        if await isTaken(order, run) { break }
      }
    }
  }

  private nonisolated(nonsending) mutating func trySingleChoices(
    _ run: nonisolated(nonsending) (ScheduleOrder) async -> Attempt
  ) async {
    guard budget > 0 else { return }
    budget -= 1
    let choices = await run([:]).choices
    for (position, choice) in choices.enumerated() {
      for place in 1..<choice.count where budget > 0 {
        if await isTaken([position: place], run) { return }
      }
    }
  }
}
