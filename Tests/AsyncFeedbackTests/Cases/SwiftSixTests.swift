import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

// The same with the main actor as the default isolation stands in AsyncFeedbackMainActorTests.
@Suite("Swift 6") struct SwiftSixTests {
  struct Fields: Sendable {
    var nested = Nested()
    var optional: Nested?
    var rows = [Nested()]
    var index: [String: Nested] = [:]
    var key: Int?
    var log: [String] = []
  }

  struct Nested: Sendable, Equatable {
    var name = ""
    var inner = Inner()
  }

  struct Inner: Sendable, Equatable { var number = 0 }

  typealias System = ChangeSystem<Fields>

  private static func note(_ word: String) -> Change<Fields> {
    Change { $0.log.append(word) }
  }

  @Test("M1: triggers take every kind of key path")
  func m1() {
    let variable: any KeyPath<Fields, Int> & Sendable = \.nested.inner.number
    let flag: any KeyPath<Fields, Bool> & Sendable = \.rows.isEmpty
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { _ in
      Feedback(.onChanged(\.nested.inner.number)) { _ in Self.note("nested") }
      Feedback(.onChanged(\.optional?.inner.number)) { _ in Self.note("optional") }
      Feedback(.onChanged(\.rows[0].inner.number)) { _ in Self.note("element") }
      Feedback(.onChanged(\.index["a"]?.name)) { _ in Self.note("key") }
      Feedback(.onChanged(\.nested.name, \.optional?.name, \.rows.count)) { _ in Self.note("three")
      }
      Feedback(.onChanged(variable)) { _ in Self.note("variable") }
      Feedback(.while(flag)) { _ in Self.note("flag") }
      Feedback(.while(\.rows.isEmpty)) { _ in Self.note("literal flag") }
      Feedback.request(\.optional?.inner) { inner in Self.note("request \(inner.number)") }
      Feedback(.onChanged({ state in state.rows.last?.name })) { _ in Self.note("function") }
    }
    rehearsal.run()
    rehearsal.send(Change { $0.log = [] })
    rehearsal.send(Change { $0.nested.inner.number = 1 })
    #expect(rehearsal.state.log == ["nested", "variable"])
    rehearsal.send(Change { $0.log = [] }, Change { $0.optional = Nested(inner: Inner(number: 5)) })
    #expect(rehearsal.state.log == ["optional", "three", "request 5"])
    rehearsal.send(Change { $0.log = [] }, Change { $0.index["a"] = Nested(name: "n") })
    #expect(rehearsal.state.log == ["key"])
    rehearsal.send(Change { $0.log = [] }, Change { $0.rows[0].inner.number = 2 })
    #expect(rehearsal.state.log == ["element"])
  }

  /// Keeps a reference, so it is not Sendable, and neither is its iterator.
  struct Countdown: AsyncSequence {
    final class Iterator: AsyncIteratorProtocol {
      var number: Int

      init(number: Int) {
        self.number = number
      }

      func next() async throws -> Int? {
        guard number > 0 else { return nil }
        number -= 1
        return number
      }
    }

    let start: Iterator

    func makeAsyncIterator() -> Iterator { start }
  }

  @Test("M2: a source and its iterator need not be Sendable")
  func m2Source() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(key: 3)) { _ in
      Feedback.stream(\.key) { key in
        Countdown(start: Countdown.Iterator(number: key))
      } event: { number in
        Self.note("\(number)")
      }
      Feedback.stream {
        Countdown(start: Countdown.Iterator(number: 1)).map { $0 + 10 }
      } event: { number in
        Self.note("\(number)")
      }
    }
    rehearsal.run()
    #expect(rehearsal.state.log.sorted() == ["0", "1", "10", "2"])
  }

  @MainActor final class Repository {
    var asked: [String] = []

    func load(_ name: String) -> String {
      asked.append(name)
      return "<\(name)>"
    }
  }

  final class Scratch {
    var lines: [String] = []
  }

  @MainActor
  @Test("M2: a main-actor body takes main-actor dependencies and locals that are not Sendable")
  func m2MainActor() async {
    let repository = Repository()
    let scratch = Scratch()
    let context = Context(
      state: Fields(),
      system: System {
        Feedback(.onChanged(\.nested.name)) { @MainActor state async in
          scratch.lines.append(state.nested.name)
          return Self.note(repository.load(state.nested.name))
        }
        Feedback.request(\.key) { @MainActor key, send async in
          scratch.lines.append("\(key)")
          send(Self.note(repository.load("\(key)")))
        }
      })
    let running = context.start()
    await context.quiet()
    await context.send(Change { $0.nested.name = "a" }).settled()
    await context.send(Change { $0.key = 1 }).settled()
    #expect(context.log == ["<>", "<a>", "<1>"])
    #expect(scratch.lines == ["", "a", "1"])
    running.stop()
    await running.ended()
  }

  @MainActor @Test("M2: a main-actor body of a context that lives elsewhere")
  func m2Elsewhere() async {
    let repository = Repository()
    let scratch = Scratch()
    let context = Context(
      state: Fields(),
      system: System {
        Feedback(.onChanged(\.nested.name)) { @MainActor state async in
          scratch.lines.append(state.nested.name)
          return Self.note(repository.load(state.nested.name))
        }
      }, executor: .background)
    let running = context.start()
    await context.send(Change { $0.nested.name = "a" }).settled()
    #expect(await context.state.log.last == "<a>")
    running.stop()
    await running.ended()
  }
}
