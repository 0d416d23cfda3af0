import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import Foundation
import SwiftUI
import Testing

@MainActor @Suite("TimerProperty", .timeLimit(.minutes(10)))
struct TimerPropertyTests {
  struct ClockScreen: View {
    @TimerProperty var date: Date
    let log: Log

    init(_ clock: TestClock, every interval: Double = 1, _ log: Log = Log()) {
      self.log = log
      _date = TimerProperty(every: interval, clock: clock) {
        log.note("now")
        return Date(timeIntervalSinceReferenceDate: Double(clock.now.offset.components.seconds))
      }
    }

    var body: some View {
      Text("\(Int(date.timeIntervalSinceReferenceDate))")
        .onAppear { $date.resume() }
        .onDisappear { $date.pause() }
      Stepper("Interval", value: $date.interval, in: 0...3)
    }
  }

  @Test func aTimerTicksAtItsIntervalAndAtAnotherOne() async throws {
    let clock = TestClock()
    let host = Host { ClockScreen(clock) }
    #expect(host.lines == ["0", "Interval -/+"])
    clock.advance(by: .seconds(1))
    await host.wait(for: "1")
    clock.advance(by: .milliseconds(500))
    try host.step("Interval", by: 1)
    #expect(try await clock.hasSleeper(until: .milliseconds(3_500)))
    clock.advance(by: .seconds(2))
    await host.wait(for: "3")
    try host.step("Interval", by: -1)
    try host.step("Interval", by: -1)
    clock.advance(by: .seconds(10))
    await host.wait(for: "3")
    try host.step("Interval", by: 1)
    #expect(host.lines.first == "13")
  }

  @Test func aTimerThatMissedTicksKeepsToItsRaster() async throws {
    let clock = TestClock()
    let log = Log()
    let host = Host { ClockScreen(clock, log) }
    clock.advance(by: .milliseconds(1_000_500))
    await host.wait(for: "1000")
    #expect(try await clock.hasSleeper(until: .seconds(1_001)))
    // Asked once at first, once for all that was missed.
    #expect(log.entries.count == 2)
  }

  @Test(arguments: [0, -1, Double.nan, -Double.infinity])
  func anIntervalThatIsNoneHasNoTicks(interval: Double) async throws {
    let clock = TestClock()
    let log = Log()
    let host = Host { ClockScreen(clock, every: interval, log) }
    #expect(clock.sleepers.isEmpty)
    clock.advance(by: .seconds(5))
    // The date that was shown first stays, however often it is looked at.
    host.updateAll()
    #expect(host.lines.first == "0")
    #expect(log.entries.count == 1)
  }

  @Test(arguments: [Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity])
  func aClockTakesAnyInterval(interval: Double) async throws {
    let clock = TestClock()
    let host = Host { ClockScreen(clock, every: interval) }
    #expect(try await clock.wait(limit: patience) { !$0.isEmpty })
    let isShort = interval < 1
    clock.advance(by: .seconds(isShort ? 5 : 50_000_000_000))
    await host.wait(for: isShort ? "5" : "50000000000")
  }

  @Test func aTimerStandsStillWhileItsViewIsAway() async {
    let clock = TestClock()
    let host = Host { ClockScreen(clock) }
    host.cover()
    clock.advance(by: .seconds(5))
    #expect(host.lines.first == "0")
    host.uncover()
    await host.wait(for: "5")
    clock.advance(by: .seconds(1))
    await host.wait(for: "6")
  }

  @Test func aTimerThatIsPausedAsItIsDueDoesNotTick() async throws {
    let clock = TestClock()
    let host = Host { ClockScreen(clock) }
    #expect(try await clock.hasSleeper(until: .seconds(1)))
    clock.advance(by: .seconds(1))
    host.cover()
    // What was woken has its turn before this.
    await Task { @MainActor in }.value
    host.update()
    #expect(host.lines.first == "0")
  }
}
