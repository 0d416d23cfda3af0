import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import SwiftUI
import Testing

@MainActor @Suite("A context in several views", .timeLimit(.minutes(10)))
struct SharedContextTests {
  struct Child: View {
    @ViewContext var context: Context<Form>

    var body: some View {
      Stepper("Child", value: $context.a)
    }
  }

  struct Distant: View {
    @Environment(Context<Form>.self) private var shared

    var body: some View {
      @ViewContext var context = shared
      Stepper("Distant", value: $context[\.nested.a])
      Text("\(context.a) \(context.nested.a)")
    }
  }

  @Test func aContextIsPassedDownAndThroughTheEnvironment() throws {
    struct Owner: View {
      @ViewContext(state: Form.State(), system: Form()) var context

      var body: some View {
        Child(context: context)
        VStack { Distant() }.environment(context)
      }
    }
    let host = Host { Owner() }
    try host.step("Child", by: 1)
    try host.step("Distant", by: -1)
    #expect(host.lines.last == "1 -1")
  }

  @Test func anotherContextRunsInPlaceOfTheFormer() async throws {
    struct Parent: View {
      let contexts: [Context<Form>]
      @State private var index = 0

      var body: some View {
        Button("next") { index = 1 }
        Child(context: contexts[index]).running(contexts[index])
      }
    }
    let (started, ended) = (Signal(), Signal())
    let system = Form(list: [
      Feedback(.once) { _ async in
        started.give()
        _ = await Signal().wait()
        ended.give()
        return nil
      }
    ])
    let contexts = [
      Context(state: Form.State(), system: system), Context(state: Form.State(), system: system),
    ]
    let host = Host { Parent(contexts: contexts) }
    _ = await started.wait()
    #expect(contexts.map(\.isRunning) == [true, false])
    try host.tap("next")
    _ = await ended.wait()
    _ = await started.wait()
    #expect(contexts.map(\.isRunning) == [false, true])
    try host.step("Child", by: 1)
    #expect(contexts.map { $0.a } == [0, 1])
  }

  @Test func twoScreensOfOneContextRunOneLoop() async throws {
    let log = Log()
    let context = Context(
      state: Form.State(),
      system: Form(list: [
        Feedback(.onChanged(\.a)) { _ async in
          await log.note("run")
          return nil
        }
      ]))
    let first = Host { Child(context: context).running(context) }
    let second = Host { Child(context: context).running(context) }
    await context.rest()
    try second.step("Child", by: 1)
    await context.rest()
    #expect(log.entries == ["run", "run"])
    first.cover()
    #expect(context.isRunning)
    second.cover()
  }

  @Test func aBindingThatSendsAnEventShowsWhatTheReducerMakesOfIt() async throws {
    struct Screen: View {
      @ViewContext var context: Context<Form>

      var body: some View {
        TextField(
          "Digits",
          text: $context[
            \.text, sending: { text in Form.Event { $0.text = text.filter(\.isNumber) } }])
      }
    }
    let context = Context(state: Form.State(), system: Form())
    let host = Host { Screen(context: context).running(context) }
    // The loop has not begun yet: what is typed is there all the same.
    for character in "3x4" { try host.type(String(character), into: "Digits") }
    #expect(host.lines == ["Digits: 3x4_"])
    await context.rest()
    await host.wait(for: "Digits: 34_")
    try host.type("1a2b", into: "Digits")
    #expect(host.lines == ["Digits: 3412_"])
  }

  @Test func aRefreshLastsUntilWhatItAskedForIsThere() async throws {
    struct Screen: View {
      @ViewContext var context: Context<Form>

      var body: some View {
        List { Text("loaded \(context.loaded)") }
          .refreshable {
            await _context.send(
              .init { $0.request = 1 }, suspendingWhile: context.request != nil)
          }
      }
    }
    let go = Signal()
    let context = Context(
      state: Form.State(),
      system: Form(list: [
        Feedback.request(\.request) { _ in
          _ = await go.wait()
          return Form.Event {
            $0.request = nil
            $0.loaded += 1
          }
        }
      ]))
    let host = Host { Screen(context: context).running(context) }
    await context.rest()
    let refresh = Task { try await host.pullToRefresh() }
    await context.send(.init { $0.a = 1 }).value
    go.give()
    try await refresh.value
    #expect(host.lines == ["loaded 1"])
  }

  @Test func aScreenOfOneFieldAmongAHundredIsEvaluatedForThatFieldAlone() async {
    struct Wide: SystemProtocol {
      struct State: Sendable {
        var fields = Fields()
        var shown = 0
      }
      // A hundred fields: each of ten has ten.
      struct Fields: Sendable {
        var a = Ten(), b = Ten(), c = Ten(), d = Ten(), e = Ten()
        var f = Ten(), g = Ten(), h = Ten(), i = Ten(), j = Ten()
      }
      struct Ten: Sendable, Equatable {
        var a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0
      }
      typealias Event = Int

      static var paths: [WritableKeyPath<State, Int>] {
        let tens: [WritableKeyPath<State, Ten>] = [
          \.fields.a, \.fields.b, \.fields.c, \.fields.d, \.fields.e,
          \.fields.f, \.fields.g, \.fields.h, \.fields.i, \.fields.j,
        ]
        let ones: [WritableKeyPath<Ten, Int>] = [
          \.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j,
        ]
        return tens.flatMap { ten in ones.map { ten.appending(path: $0) } }
      }

      func reducer() -> Reducer {
        { state, index in state[keyPath: Self.paths[index]] += 1 }
      }

      func feedbacks() -> [Feedback<Self>] { [] }
    }
    struct Screen: View {
      let context: Context<Wide>
      let log: Log

      var body: some View {
        let _ = log.note("body")
        Text("\(context[\.fields.c.d])").running(context)
      }
    }
    let (context, log) = (Context(state: Wide.State(), system: Wide()), Log())
    let host = Host { Screen(context: context, log: log) }
    await context.rest(after: 0)
    for _ in 0..<10 {
      for index in 0..<100 where index != 23 {
        context.send(index)
        host.update()
      }
    }
    #expect(log.entries.count == 1)
    for _ in 0..<10 {
      context.send(23)
      host.update()
    }
    #expect(log.entries.count == 11)
    #expect(host.lines == ["10"])
  }
}
