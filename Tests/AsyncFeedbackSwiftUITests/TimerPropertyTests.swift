import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import SwiftUI
import Testing

import struct Foundation.Date

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

  /// Notes each look at the date, and whether it is to be animated.
  struct ControlScreen: View {
    let log: Log
    @TimerProperty private var date

    init(_ clock: TestClock, _ log: Log) {
      self.log = log
      _date = TimerProperty(every: 1, clock: clock) {
        log.note("animated \(Transaction.current.animation != nil)")
        return Date(timeIntervalSinceReferenceDate: Double(clock.now.offset.components.seconds))
      }
    }

    var body: some View {
      let _ = log.note("body")
      Text("\(Int(date.timeIntervalSinceReferenceDate))")
      Button("pause") { $date.pause() }
      Button("resume") { $date.resume() }
      Button("cancel") { $date.cancel() }
      Button("resume and cancel") {
        $date.resume()
        $date.cancel()
      }
      Button("other and cancel") {
        $date.interval.wrappedValue += 1
        $date.cancel()
      }
      Button("other and back") {
        $date.interval.wrappedValue += 1
        $date.interval.wrappedValue -= 1
      }
      Button("same") { $date.interval.wrappedValue = $date.interval.wrappedValue }
      Button("longer") { $date.interval.wrappedValue += 1 }
      Button("animated") { $date.interval.animation().wrappedValue += 1 }
    }
  }

  /// Lets a second pass, and what it has woken have its turn.
  private func second(_ clock: TestClock, _ host: Host) async {
    clock.advance(by: .seconds(1))
    await Task { @MainActor in }.value
    host.update()
  }

  @Test func aTimerThatIsPausedTicksWhenItIsResumed() async throws {
    let clock = TestClock()
    let host = Host { ControlScreen(clock, Log()) }
    #expect(try await clock.hasSleeper(until: .seconds(1)))
    try host.tap("pause")
    await second(clock, host)
    #expect(host.lines.first == "0")
    try host.tap("resume")
    #expect(host.lines.first == "1")
    #expect(try await clock.hasSleeper(until: .seconds(2)))
    await second(clock, host)
    await host.wait(for: "2")
  }

  @Test func aTimerThatIsCancelledTicksAtAnotherIntervalOrWhenItIsResumed() async throws {
    let clock = TestClock()
    let host = Host { ControlScreen(clock, Log()) }
    #expect(try await clock.hasSleeper(until: .seconds(1)))
    try host.tap("cancel")
    await second(clock, host)
    #expect(host.lines.first == "0")
    try host.tap("same")
    #expect(host.lines.first == "0")
    try host.tap("longer")
    #expect(host.lines.first == "1")
    #expect(try await clock.hasSleeper(until: .seconds(3)))
    try host.tap("cancel")
    await second(clock, host)
    try host.tap("resume and cancel")
    #expect(host.lines.first == "2")
    await second(clock, host)
    #expect(clock.sleepers.isEmpty)
    try host.tap("resume")
    #expect(host.lines.first == "3")
    #expect(try await clock.hasSleeper(until: .seconds(5)))
  }

  @Test func aChangeOfTheIntervalCountsThoughItWasNotSeenInBetween() async throws {
    let clock = TestClock()
    let host = Host { ControlScreen(clock, Log()) }
    #expect(try await clock.hasSleeper(until: .seconds(1)))
    clock.advance(by: .milliseconds(500))
    try host.tap("other and back")
    #expect(try await clock.hasSleeper(until: .milliseconds(1_500)))
    try host.tap("other and cancel")
    #expect(clock.sleepers.isEmpty)
    try host.tap("other and back")
    #expect(try await clock.hasSleeper(until: .milliseconds(2_500)))
  }

  @Test func anIntervalThatIsChangedDuringAPauseIsThatOfTheResume() async throws {
    let clock = TestClock()
    let log = Log()
    let host = Host { ControlScreen(clock, log) }
    try host.tap("pause")
    clock.advance(by: .seconds(1))
    try host.tap("longer")
    #expect(host.lines.first == "0")
    try host.tap("resume")
    #expect(host.lines.first == "1")
    #expect(try await clock.hasSleeper(until: .seconds(3)))
  }

  @Test func whatChangesNothingDoesNotTick() throws {
    let log = Log()
    let host = Host { [clock = TestClock()] in ControlScreen(clock, log) }
    #expect(log.entries == ["body", "animated false"])
    try host.tap("same")
    try host.tap("resume")
    #expect(log.entries == ["body", "animated false"])
    try host.tap("animated")
    #expect(log.count(of: "animated true") == 1)
    #expect(host.lines.first == "0")
  }

  @Test func aTimerThatIsToldNothingTicksOnceASecond() {
    struct Screen: View {
      @TimerProperty private var date

      var body: some View {
        Text("\($date.interval.wrappedValue) \(date > Date.distantPast)")
      }
    }
    #expect(Host { Screen() }.lines == ["1.0 true"])
  }

  @Test func aTimerKeepsTheClockThatItsViewWasFirstGiven() async throws {
    struct Screen: View {
      let clocks: [TestClock]
      @State private var index = 0

      var body: some View {
        Button("other") { index = 1 }
        ControlScreen(clocks[index], Log())
      }
    }
    let clocks = [TestClock(), TestClock()]
    let host = Host { Screen(clocks: clocks) }
    try host.tap("other")
    try host.tap("pause")
    try host.tap("resume")
    #expect(try await clocks[0].hasSleeper(until: .seconds(1)))
    #expect(clocks[1].sleepers.isEmpty)
    clocks[0].advance(by: .seconds(1))
    await host.wait(for: "1")
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

  @Test("G6: a timer ends with its view")
  func g6() async throws {
    let clock = TestClock()
    var host: Host? = Host { ClockScreen(clock) }
    #expect(try await clock.hasSleeper(until: .seconds(1)))
    #expect(host?.lines.first == "0")
    host = nil
    #expect(try await clock.wait(limit: patience) { $0.isEmpty })
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
    host.cover()
    host.uncover()
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
