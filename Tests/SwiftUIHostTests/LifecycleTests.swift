import AsyncFeedbackTestSupport
import Observation
import SwiftUI
import Testing

@MainActor @Suite("Host: life cycle", .timeLimit(.minutes(10)))
struct LifecycleTests {
  struct Switch<Content: View>: View {
    @State private var isOn = true
    @ViewBuilder let content: () -> Content

    var body: some View {
      Button("switch") { isOn.toggle() }
      if isOn { content() }
    }
  }

  @Test func aViewAppearsAndDisappears() throws {
    let log = Log()
    let host = Host {
      Switch {
        Text("x").onAppear { log.note("appeared") }.onDisappear { log.note("disappeared") }
      }
    }
    #expect(log.take() == ["appeared"])
    try host.tap("switch")
    #expect(log.take() == ["disappeared"])
    try host.tap("switch")
    host.cover()
    host.uncover()
    #expect(log.take() == ["appeared", "disappeared", "appeared"])
  }

  @Test func aTaskStartsAfterAppearanceAndEndsWithTheView() async throws {
    let (log, started, ended) = (Log(), Signal(), Signal())
    let host = Host {
      Switch {
        Text("x")
          .task {
            log.note("started")
            started.give()
            #expect(await Signal().wait() == .cancelled)
            log.note("ended")
            ended.give()
          }
          .onAppear { log.note("appeared") }
      }
    }
    #expect(log.take() == ["appeared"])
    _ = await started.wait()
    host.updateAll()
    try host.tap("switch")
    _ = await ended.wait()
    #expect(log.take() == ["started", "ended"])
    try host.tap("switch")
    _ = await started.wait()
    host.cover()
    _ = await ended.wait()
    host.uncover()
    _ = await started.wait()
    #expect(log.take() == ["appeared", "started", "ended", "appeared", "started"])
  }

  @Test func aTaskWithAnIDStartsAnewWhenThatChanges() async throws {
    struct Screen: View {
      let log: Log
      let noted: Signal
      @State private var id = 1
      @State private var other = 1

      var body: some View {
        Button("id") { id += 1 }
        Button("other") { other += 1 }
        Text("\(other)").task(id: id) { [id, other] in
          log.note("started \(id) \(other)")
          noted.give()
          guard await Signal().wait() == .cancelled else { return }
          log.note("cancelled \(id)")
          noted.give()
        }
      }
    }
    let (log, noted) = (Log(), Signal())
    let host = Host { Screen(log: log, noted: noted) }
    _ = await noted.wait()
    try host.tap("other")
    try host.tap("id")
    while log.entries.count < 3 { _ = await noted.wait() }
    #expect(log.entries.first == "started 1 1")
    #expect(Set(log.take()) == ["started 1 1", "started 2 2", "cancelled 1"])
  }

  @Test func tasksGoWithTheHost() async {
    let (started, ended) = (Signal(), Signal())
    var host: Host? = Host {
      Text("x").task {
        started.give()
        _ = await Signal().wait()
        ended.give()
      }
    }
    _ = await started.wait()
    #expect(host?.lines == ["x"])
    host = nil
    _ = await ended.wait()
  }

  @Test func theEnvironmentReachesAllWithin() throws {
    final class Shared: Sendable, Observable { let name = "shared" }
    struct Reader: View {
      @Environment(\.isEnabled) private var isEnabled
      @Environment(Shared.self) private var shared: Shared?
      var body: some View { Text("\(isEnabled) \(shared?.name ?? "none")") }
    }
    let host = Host {
      Reader()
      VStack { Reader() }.environment(Shared()).disabled(true)
    }
    #expect(host.lines == ["true none", "false shared"])
  }

  @Test func aListHasTheRowsThatFit() throws {
    let log = Log()
    let host = Host(visibleRows: 3) {
      List {
        Section { Text("first") }
        ForEach(0..<5, id: \.self) { number in
          Text("\(number)").onAppear { log.note("\(number)") }
        }
      }
    }
    #expect(host.lines == ["first", "0", "1"])
    try host.scroll(by: 2)
    #expect(host.lines == ["1", "2", "3"])
    try host.scroll(by: 100)
    #expect(host.lines == ["2", "3", "4"])
    #expect(log.take() == ["0", "1", "2", "3", "4"])
  }

  @Test func controlsDoWhatAPersonDoes() throws {
    struct Form: View {
      @State private var name = ""
      @State private var isOn = false
      @State private var count = 1
      @State private var choice = "a"
      var body: some View {
        TextField("Name", text: $name)
        Toggle("On", isOn: $isOn)
        Stepper("Count", value: $count, in: 0...2)
        Text("\(count)")
        Picker("Choice", selection: $choice) {
          ForEach(["a", "b"], id: \.self) { Text("the \($0)").tag($0) }
        }
        Button("Off") {}.disabled(true)
      }
    }
    let host = Host { Form() }
    try host.type("Anna", into: "Name")
    try host.delete(from: "Name")
    try host.toggle("On")
    try host.step("Count", by: 1)
    try host.step("Count", by: 1)
    try host.choose("the b", in: "Choice")
    #expect(
      host.lines == [
        "Name: Ann_", "[x] On", "Count -/+", "2", "Choice: the b", "[Off] (disabled)",
      ])
    #expect(throws: NotPossible.self) { try host.tap("Off") }
    #expect(throws: NotPossible.self) { try host.tap("Missing") }
  }
}
