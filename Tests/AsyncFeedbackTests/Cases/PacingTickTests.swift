import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Pacing: ticks of a clock") struct PacingTickTests {
  struct Fields: Sendable {
    var isOn = false
    var ticks: [Double] = []
  }

  private func ticker(
    every interval: Int = 1, while flag: @escaping @Sendable (Fields) -> Bool = { _ in true },
    busy: @escaping @Sendable (_ tick: Int) -> Int = { _ in 0 }
  ) -> Rehearsal<Fields, Change<Fields>> {
    let count = Journal<Int>()
    return Rehearsal(Fields()) { clock in
      Feedback.every(.seconds(interval), while: flag, clock: clock) {
        let now = clock.now.offset / .seconds(1)
        count.note(0)
        try? await clock.sleep(for: .seconds(busy(count.count)))
        return Change { $0.ticks.append(now) }
      }
    }
  }

  @Test func theFirstTickComesAfterOneInterval() {
    let rehearsal = ticker(every: 5)
    rehearsal.run()
    rehearsal.advance(by: 4)
    #expect(rehearsal.state.ticks == [])
    rehearsal.advance(by: 1)
    #expect(rehearsal.state.ticks == [5])
  }

  @Test func oneAdvanceTicksForEachInterval() {
    let rehearsal = ticker()
    rehearsal.run()
    rehearsal.advance(by: 3)
    #expect(rehearsal.state.ticks == [1, 2, 3])
  }

  @Test func aMissedTickIsNotMadeUpForAndTheNextKeepsToTheRaster() {
    let rehearsal = ticker(every: 2, busy: { tick in tick == 1 ? 5 : 0 })
    rehearsal.run()
    rehearsal.advance(by: 12)
    // The first tick's body is busy from 2 to 7: those of 4 and 6 are missed.
    #expect(rehearsal.state.ticks == [2, 8, 10, 12])
  }

  @Test func aBodyThatEndsOnTheRasterMissesNothing() {
    let rehearsal = ticker(every: 2, busy: { tick in tick == 1 ? 2 : 0 })
    rehearsal.run()
    rehearsal.advance(by: 8)
    #expect(rehearsal.state.ticks.first == 2)
    #expect(
      rehearsal.state.ticks.dropFirst().allSatisfy { $0.truncatingRemainder(dividingBy: 2) == 0 })
    #expect(rehearsal.state.ticks.last == 8)
  }

  @Test func itTicksOnlyWhileTheFlagHoldsAndBeginsAnew() {
    let rehearsal = ticker(every: 2, while: \.isOn)
    rehearsal.run()
    rehearsal.advance(by: 10)
    #expect(rehearsal.state.ticks == [])
    rehearsal.set(\.isOn, true)
    rehearsal.advance(by: 5)
    #expect(rehearsal.state.ticks == [12, 14])
    rehearsal.set(\.isOn, false)
    #expect(rehearsal.clock.sleepers.isEmpty)
    rehearsal.advance(by: 10)
    rehearsal.set(\.isOn, true)
    rehearsal.advance(by: 2)
    #expect(rehearsal.state.ticks == [12, 14, 27])
  }

  @Test func aStopEndsItAndTheNextStartBeginsAnew() {
    let rehearsal = ticker()
    let loop = rehearsal.run()
    rehearsal.advance(by: 2)
    rehearsal.stop(loop)
    #expect(rehearsal.clock.sleepers.isEmpty)
    rehearsal.advance(by: 10)
    rehearsal.run()
    rehearsal.advance(by: 1)
    #expect(rehearsal.state.ticks == [1, 2, 13])
  }

  @Test func aTickerOfTwoSecondsInterleavesWithOneOfOne() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Int, Change<Int>>(0) { clock in
      Feedback.every(.seconds(2), clock: clock) { Change { _ in log.note("two \(clock.now)") } }
      Feedback.every(.seconds(1), clock: clock) { Change { _ in log.note("one \(clock.now)") } }
    }
    rehearsal.run()
    rehearsal.advance(by: 3)
    #expect(
      log.entries == [
        "one 1.0 seconds", "two 2.0 seconds", "one 2.0 seconds", "one 3.0 seconds",
      ])
  }
}
