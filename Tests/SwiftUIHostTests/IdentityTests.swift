import Observation
import SwiftUI
import Testing

@MainActor @Suite("Host: identity and evaluation", .timeLimit(.minutes(10)))
struct IdentityTests {
  struct Counter: View {
    var name = "count"
    let log: Log
    @State private var count = 0

    var body: some View {
      let _ = log.note("\(name) \(count)")
      Button("\(name) \(count)") { count += 1 }
    }
  }

  @Test func aStateOutlivesTheValuesOfItsView() throws {
    struct Parent: View {
      let log: Log
      @State private var name = "a"

      var body: some View {
        Button("rename") { name += "a" }
        Counter(name: name, log: log)
      }
    }
    let log = Log()
    let host = Host { Parent(log: log) }
    try host.tap("a 0")
    try host.tap("a 1")
    try host.tap("rename")
    #expect(host.lines == ["[rename]", "[aa 2]"])
    #expect(log.take() == ["a 0", "a 1", "a 2", "aa 2"])
  }

  @Test func aStateGoesWithTheIdentityOfItsView() throws {
    struct Parent: View {
      let log: Log
      @State private var id = 1
      @State private var isThere = true

      var body: some View {
        Button("id") { id += 1 }
        Button("there") { isThere.toggle() }
        Counter(name: "id", log: log).id(id)
        if isThere { Counter(name: "there", log: log) } else { Counter(name: "not", log: log) }
      }
    }
    let host = Host { Parent(log: Log()) }
    try host.tap("id 0")
    try host.tap("there 0")
    #expect(host.lines.suffix(2) == ["[id 1]", "[there 1]"])
    try host.tap("id")
    #expect(host.lines.suffix(2) == ["[id 0]", "[there 1]"])
    try host.tap("there")
    #expect(host.lines.suffix(2) == ["[id 0]", "[not 0]"])
  }

  @Test func aRowKeepsItsStateWhereverItMoves() throws {
    struct Parent: View {
      let log: Log
      @State private var names = ["a", "b", "c"]

      var body: some View {
        Button("turn") { names.reverse() }
        Button("drop") { names.removeFirst() }
        ForEach(names, id: \.self) { Counter(name: $0, log: log) }
      }
    }
    let host = Host { Parent(log: Log()) }
    try host.tap("a 0")
    try host.tap("turn")
    #expect(host.lines.suffix(3) == ["[c 0]", "[b 0]", "[a 1]"])
    try host.tap("drop")
    #expect(host.lines.suffix(2) == ["[b 0]", "[a 1]"])
  }

  @Observable final class Model {
    var seen = 0
    var unseen = 0
  }

  struct Watcher: View {
    let model: Model
    let log: Log

    var body: some View {
      let _ = log.note("body")
      Text("\(model.seen)")
    }
  }

  @Test func onlyWhatABodyHasReadInvalidatesIt() async {
    let (model, log) = (Model(), Log())
    let host = Host { Watcher(model: model, log: log) }
    model.unseen = 1
    host.update()
    model.seen = 1
    model.seen = 2
    #expect(log.take() == ["body"])
    await host.wait(for: "2")
    #expect(log.take() == ["body"])
  }

  @Test func aPropertyIsUpdatedBeforeEachBodyInPlaceAndAfterThoseWithinIt() throws {
    @MainActor struct Inner: @MainActor DynamicProperty {
      let log: Log
      @State var step = 0
      func update() { log.note("inner \(step)") }
    }
    @MainActor struct Outer: @MainActor DynamicProperty {
      let log: Log
      var inner: Inner
      var updates = 0
      init(log: Log) {
        self.log = log
        inner = Inner(log: log)
      }
      mutating func update() {
        updates += 1
        log.note("outer \(inner.step)")
      }
    }
    struct Screen: View {
      var property: Outer
      let log: Log
      var body: some View {
        let _ = log.note("body \(property.updates)")
        Button("step") { property.inner.step += 1 }
      }
    }
    let log = Log()
    let host = Host { Screen(property: Outer(log: log), log: log) }
    try host.tap("step")
    #expect(log.take() == ["inner 0", "outer 0", "body 1", "inner 1", "outer 1", "body 1"])
  }
}
