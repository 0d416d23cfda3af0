import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Which transcripts are printed of an exploration, where they are asked for.
@Suite(.unseeded) struct ExplorationTranscriptTests {
  private let failures = Failures()

  /// The transcripts that are printed, and the number of schedules.
  private func output(
    _ policy: Policy, _ strategy: ScheduleStrategy = .random
  ) async -> (texts: [String], count: Int) {
    let log = Log<String>()
    let exploration = await Transcript.$output.withValue(.init { log.append($0) }) {
      await exploreSchedules(20, strategy, reporter: failures.reporter(line: 7)) {
        let clock = TestClock()
        let context = TestContext(state: .init(), system: Search(policy: policy, clock: clock))
        await context.run().send(.queryChanged("a")).send(.queryChanged("ab"))
          .advance(by: .seconds(1))
          .check { #expect($0.results == "results of ab") }
          .finish()
      }
    }
    return (log.entries, exploration.count)
  }

  @Test(arguments: [ScheduleStrategy.random, .exhaustive])
  func onlyThatOfTheFirstScheduleIsPrinted(strategy: ScheduleStrategy) async {
    let (texts, count) = await output(.latest, strategy)
    #expect(count == 20)
    #expect(texts.count == 1)
    #expect(texts.first?.contains(": transcript of Search\n  loop started\n") == true)
  }

  @Test func andThatOfTheOneThatFails() async {
    let (texts, count) = await output(.overlapping)
    #expect(count > 1)
    #expect(texts.count == 2)
    #expect(texts.last?.contains(":7:") == true)
    #expect(
      texts.last?.contains(
        ": transcripts of the schedule that fails\ntranscript:\n  loop started\n")
        == true)
    #expect(texts.last?.contains("results: \"results of ab\" → \"results of a\"") == true)
  }
}
