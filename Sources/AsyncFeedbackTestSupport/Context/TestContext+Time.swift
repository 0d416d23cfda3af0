internal import AsyncFeedback

extension TestContext {
  /// The clocks of the test.
  var clocks: [TestClock] { clock.map { [$0] } ?? executor.clocks }

  /// What is asleep on the clocks of the test.
  var sleepers: [Sleeper] { clocks.flatMap(\.sleepers) }

  /// What is asleep on test clocks that `advance(by:)` does not move, since it moves another.
  var foreignSleepers: [Sleeper] {
    guard let clock else { return [] }
    return executor.clocks.filter { $0 !== clock }.flatMap(\.sleepers)
  }

  /// Moves the clocks together, from one deadline to the next, and has the system come to rest each time.
  nonisolated(nonsending) func move(_ clocks: [TestClock], by duration: Duration) async {
    let starts = clocks.map(\.now)
    for (clock, start) in zip(clocks, starts) {
      transcript.note("clock: \(start) → \(start.advanced(by: duration))")
      // Work on its way to a sleep is asleep after this.
      clock.advance(by: .zero)
    }
    var elapsed: Duration?
    repeat {
      elapsed = zip(clocks, starts)
        .compactMap { clock, start in clock.nextDeadline.map { start.duration(to: $0) } }
        .filter { $0 <= duration }.min()
      for (clock, start) in zip(clocks, starts) {
        let rest = clock.now.duration(to: start.advanced(by: elapsed ?? duration))
        if rest > .zero { clock.advance(by: rest) }
      }
      if holdsAnswers { await executor.settle() } else { await letEverythingGo() }
    } while elapsed != nil && !executor.isRestless
  }
}
