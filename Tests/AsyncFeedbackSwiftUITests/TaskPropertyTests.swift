import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
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

  /// Has its body evaluated by nothing but the property.
  struct NamedScreen: View {
    @MainActor
    struct Named: @MainActor DynamicProperty {
      let executor: (any TaskExecutor)?
      let log: Log
      let noted: Signal
      private var task = TaskProperty()

      init(_ log: Log, noted: Signal = Signal(), on executor: (any TaskExecutor)? = nil) {
        self.executor = executor
        self.log = log
        self.noted = noted
      }

      func update() {
        // Without a word about isolation: it is that of this function.
        task.update(name: "named", priority: .low, executorPreference: executor) {
          [log, noted] in
          let hasPreference = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
          log.note("\(Task.name ?? "") \(Task.basePriority == .low) \(hasPreference)")
          noted.give()
        }
      }

      func resume() { task.resume() }
      func cancel() { task.cancel() }
    }

    let named: Named

    var body: some View {
      let _ = named.log.note("body")
      Button("resume") { named.resume() }
      Button("resume and cancel") {
        named.cancel()
        named.resume()
        named.cancel()
      }
    }
  }

  @Test func theTaskHasTheNameThePriorityAndTheExecutorOfTheUpdate() async {
    let log = Log()
    let noted = Signal()
    let host = Host { NamedScreen(named: .init(log, noted: noted, on: DeterministicExecutor())) }
    _ = await noted.wait()
    #expect(log.count(of: "named true true") == 1)
    withExtendedLifetime(host) {}
  }

  @Test func aResumeOfWhatHasNotEndedEvaluatesNothing() throws {
    let log = Log()
    let host = Host { NamedScreen(named: .init(log)) }
    // It begins within the update, before the body.
    #expect(log.entries == ["named true false", "body"])
    try host.tap("resume")
    #expect(log.entries.count == 2)
    try host.tap("resume and cancel")
    #expect(log.count(of: "named true false") == 1)
    try host.tap("resume")
    #expect(log.count(of: "named true false") == 2)
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
