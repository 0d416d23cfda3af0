import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import Foundation
import Observation
import SwiftUI
import Testing

@MainActor @Suite("Dynamic properties", .timeLimit(.minutes(10)))
struct TaskPropertyTests {
  /// Notes what begins and what is cancelled.
  @MainActor
  final class Events {
    let log = Log()
    let noted = Signal()

    func run(_ name: String) async {
      log.note(name)
      noted.give()
      if await Signal().wait() == .cancelled {
        log.note("\(name) cancelled")
        noted.give()
      }
    }
  }

  @MainActor
  struct Once: @MainActor DynamicProperty {
    let events: Events
    private var task = TaskProperty()

    init(_ events: Events) {
      self.events = events
    }

    func update() {
      task.update { @MainActor [events] in await events.run("once") }
    }
  }

  @MainActor
  struct Keyed: @MainActor DynamicProperty {
    let name: String
    let detail: Int
    let events: Events
    private var task = TaskProperty<String>()

    init(_ name: String, detail: Int, _ events: Events) {
      self.name = name
      self.detail = detail
      self.events = events
    }

    func update() {
      task.update(id: name) { @MainActor [name, detail, events] in
        await events.run("\(name) \(detail)")
      }
    }

    func pause() { task.pause() }
    func resume() { task.resume() }
    func cancel() { task.cancel() }
  }

  struct Screen: View {
    @State private var name = "a"
    @State private var detail = 0
    @State private var isThere = true
    let events: Events

    var body: some View {
      Button("name") { name += "a" }
      Button("detail") { detail += 1 }
      Button("switch") { isThere.toggle() }
      if isThere { Child(keyed: Keyed(name, detail: detail, events), once: Once(events)) }
    }
  }

  struct Child: View {
    let keyed: Keyed
    let once: Once

    var body: some View {
      Button("cancel") { keyed.cancel() }
      Button("resume") { keyed.resume() }
        .onAppear { keyed.resume() }
        .onDisappear { keyed.pause() }
    }
  }

  @Test("H10, O7: an operation begins with the view, anew for another id, and ends with the view")
  func lifetime() async throws {
    let events = Events()
    let host = Host { Screen(events: events) }
    #expect(Set(events.log.entries) == ["a 0", "once"])
    for _ in 0..<100 {
      try host.tap("detail")
    }
    #expect(events.log.entries.count == 2)
    try host.tap("name")
    while events.log.count(of: "a 0 cancelled") == 0 { _ = await events.noted.wait() }
    #expect(events.log.count(of: "aa 100") == 1)
    try host.tap("switch")
    for name in ["once cancelled", "aa 100 cancelled"] {
      while events.log.count(of: name) == 0 { _ = await events.noted.wait() }
    }
    #expect(events.log.entries.count == 6)
  }

  @Test("O7: an operation that was paused begins anew as the view appears again, with new captures")
  func reappearing() async throws {
    let events = Events()
    let host = Host { Screen(events: events) }
    host.cover()
    while events.log.count(of: "a 0 cancelled") == 0 { _ = await events.noted.wait() }
    host.uncover()
    #expect(events.log.entries == ["a 0", "once", "a 0 cancelled", "a 0"])
    try host.tap("detail")
    host.cover()
    while events.log.count(of: "a 0 cancelled") == 1 { _ = await events.noted.wait() }
    host.uncover()
    #expect(events.log.entries.last == "a 1")
    #expect(events.log.count(of: "once") == 1)
  }

  @Test func anOperationThatWasCancelledBeginsAnewWhenItIsResumed() async throws {
    let events = Events()
    let host = Host { Screen(events: events) }
    try host.tap("cancel")
    while events.log.count(of: "a 0 cancelled") == 0 { _ = await events.noted.wait() }
    try host.tap("detail")
    #expect(events.log.entries.count == 3)
    try host.tap("resume")
    #expect(events.log.entries.last == "a 1")
  }

  struct ClockScreen: View {
    @TimerProperty var date: Date

    init(_ clock: TestClock) {
      _date = TimerProperty(every: 1, clock: clock) {
        Date(timeIntervalSinceReferenceDate: Double(clock.now.offset.components.seconds))
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
    let host = Host { ClockScreen(clock) }
    clock.advance(by: .milliseconds(2_500))
    await host.wait(for: "2")
    #expect(try await clock.hasSleeper(until: .seconds(3)))
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

  @Test func aMemoizedValueIsComputedAgainOnlyForOtherInputs() throws {
    struct Screen: View {
      @State private var names = ["Anna", "Bert", "Hanna"]
      @State private var query = "nn"
      @State private var other = 0
      private var found = Memoized { (names: [String], query: String) in
        // The view computes it, where it is evaluated.
        MainActor.assumeIsolated { Computations.shared.count += 1 }
        return names.filter { $0.contains(query) }
      }
      private var loud = Memoized { (query: String) in
        MainActor.assumeIsolated { Computations.shared.loud += 1 }
        return query.uppercased()
      }

      init() {}

      var body: some View {
        Button("other") { other += 1 }
        Button("copy") { names = names.map { $0 } }
        TextField("Query", text: $query)
        Text(loud.value(for: query))
        Text("\(other) \(found.value(for: names, query).joined(separator: ","))")
      }
    }
    let host = Host { Screen() }
    let before = Computations.shared.count
    for _ in 0..<10 { try host.tap("other") }
    try host.tap("copy")
    #expect(host.lines.last == "10 Anna,Hanna")
    #expect(Computations.shared.count == before)
    try host.type("a", into: "Query")
    try host.delete(2, from: "Query")
    try host.type("x", into: "Query")
    #expect(host.lines.last == "10 ")
    #expect(Computations.shared.count == before + 4)
    #expect(host.lines.suffix(2).first == "NX")
    #expect(Computations.shared.loud == 5)
  }

  @MainActor
  final class Computations {
    static let shared = Computations()
    var count = 0
    var loud = 0
  }
}
