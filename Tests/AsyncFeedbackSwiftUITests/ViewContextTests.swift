import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import CounterSystem
import SwiftUI
import Testing

@MainActor @Suite("ViewContext", .timeLimit(.minutes(1)))
struct ViewContextTests {
  struct CounterScreen: View {
    @ViewContext(state: .init(), system: Counter()) var context

    var body: some View {
      Text(context.count.description)
      Stepper("Count", value: $context.count)
      Text(context.message ?? "-")
      Button("Add") {
        withAnimation {
          let before = context.count
          _context.send(.incremented)
          #expect(context.count == before + 1)
        }
      }
      .running(_context)
    }
  }

  @Test func aScreenRunsItsSystem() async throws {
    let host = Host { CounterScreen() }
    try host.step("Count", by: 1)
    try host.step("Count", by: 1)
    await host.wait(for: "multiple of 3!!")
    #expect(host.lines == ["3", "Count -/+", "multiple of 3!!", "[Add]"])
  }

  @Test func aSendIsReducedBeforeItReturns() async throws {
    let host = Host { CounterScreen() }
    try host.step("Count", by: 2)
    try host.step("Count", by: 1)
    await host.wait(for: "multiple of 3!!")
    try host.tap("Add")
    #expect(host.lines == ["4", "Count -/+", "-", "[Add]"])
  }

  struct FormScreen: View {
    @ViewContext var context: Context<Form>
    let log: Log

    var body: some View {
      let _ = log.noteChange(context.text)
      TextField("Text", text: $context.text)
      Text(context.echo)
    }
  }

  @Test("H1: what is typed is shown at once, and no older text comes back")
  func h1() async throws {
    let context = Context(
      state: Form.State(),
      system: Form(list: [
        Feedback(.onChanged(\.text)) { state async in
          let text = state.text
          return Form.Event { $0.echo = text }
        }
      ]))
    let log = Log()
    let host = Host { FormScreen(context: context, log: log).running(context) }
    await context.rest()
    let text = String((0..<1_000).map { Character(UnicodeScalar(97 + UInt8($0 % 26))) })
    // A part at full speed, a part with the feedbacks answering in between.
    try host.type(String(text.prefix(400)), into: "Text")
    for character in text.dropFirst(400) {
      try host.type(String(character), into: "Text")
      #expect(context.text.last == character)
      if character == "m" { await context.rest() }
    }
    await context.rest()
    await host.wait(for: text)
    #expect(host.lines == ["Text: \(text)_", text])
    let isWhole = log.entries == (0...1_000).map { String(text.prefix($0)) }
    #expect(isWhole, "a text is missing, or an older one came back")
  }

  struct FieldsScreen: View {
    let context: Context<Form>
    let log: Log

    var body: some View {
      Group {
        Reader(context: context, log: log, name: "a") { "\($0.a)" }
        Reader(context: context, log: log, name: "nested") { "\($0[\.nested.a])" }
        Reader(context: context, log: log, name: "handle") {
          _ = $0.handle; return ""
        }
      }
      .running(context)
    }

    struct Reader: View {
      let context: Context<Form>
      let log: Log
      let name: String
      let read: (Context<Form>) -> String

      var body: some View {
        let _ = log.note(name)
        Text(read(context))
      }
    }
  }

  @Test("H5: a view is evaluated for what it reads, and for nothing else")
  func h5() async {
    let context = Context(state: Form.State(), system: Form())
    let log = Log()
    let host = Host { FieldsScreen(context: context, log: log) }
    #expect(log.entries == ["a", "nested", "handle"])
    await context.rest()
    for number in 1...1_000 {
      context.send(
        .init {
          $0.b = number
          $0.nested.b = number
          $0.text = "\(number)"
        })
      host.update()
    }
    #expect(log.entries == ["a", "nested", "handle"])
    context.send(.init { $0.a = 1 })
    host.update()
    context.send(.init { $0.nested.a = 1 })
    host.update()
    context.send(.init { $0.handle = Form.Handle() })
    host.update()
    #expect(log.entries == ["a", "nested", "handle", "a", "nested", "handle"])
  }

  @Test("H6: what is told of a change finds the new value")
  func h6() async throws {
    let context = Context(state: Form.State(), system: Form())
    let host = Host { Text("\(context.a)").running(context) }
    await context.rest()
    context.send(.init { $0.a = 1 })
    host.update()
    #expect(host.lines == ["1"])
    context.binding.a.wrappedValue = 2
    host.update()
    #expect(host.lines == ["2"])
  }

  struct LoadingScreen: View {
    @ViewContext var context: Context<Form>

    var body: some View {
      if context.request != nil { ProgressView() }
      Text("\(context.loaded)").task { await _context.runFeedbackLoop() }
    }
  }

  @Test("H7: what has finished is not repeated when a view appears again, what was cut off is")
  func h7() async {
    let (started, go) = (Signal(), Signal())
    let starts = Log()
    let context = Context(
      state: Form.State(),
      system: Form(list: [
        Feedback(.once) { _ async in
          await starts.note("once")
          return nil
        },
        Feedback.request(\.request) { _ in
          await starts.note("load")
          started.give()
          guard await go.wait() == .given else { return nil }
          return Form.Event {
            $0.loaded += 1
            $0.request = nil
          }
        },
      ]))
    let host = Host { LoadingScreen(context: context) }
    await context.rest()
    host.cover()
    host.uncover()
    context.send(.init { $0.request = 1 })
    _ = await started.wait()
    host.cover()
    host.uncover()
    _ = await started.wait()
    #expect(host.lines == ["…", "0"])
    go.give()
    await host.wait(for: "1")
    host.cover()
    host.uncover()
    await context.rest()
    #expect(host.lines == ["1"])
    #expect(starts.entries == ["once", "load", "load"])
  }

  @Test(
    "H8: a wrapper that is initialised with each evaluation makes one context, and starts nothing")
  func h8() throws {
    struct Child: View {
      @ViewContext var context: Context<Form>
      let log: Log

      init(log: Log) {
        self.log = log
        _context = ViewContext(state: Self.state(log), system: Self.system(log))
      }

      static func state(_ log: Log) -> Form.State {
        log.note("state")
        return Form.State()
      }

      static func system(_ log: Log) -> Form {
        log.note("system")
        return Form(list: [
          Feedback(.once) { _ async in
            await log.note("run")
            return nil
          }
        ])
      }

      var body: some View {
        let _ = log.note("body \(ObjectIdentifier(context) == ObjectIdentifier(context))")
        Stepper("A", value: $context.a)
        Text("\(context.a)")
      }
    }
    let log = Log()
    let host = Host { Child(log: log) }
    try host.step("A", by: 1)
    for _ in 0..<100 { host.updateAll() }
    for _ in 0..<100 { _ = Child(log: log) }
    #expect(host.lines == ["A -/+", "1"])
    #expect(log.entries.count { !$0.hasPrefix("body") } == 2)
    #expect(log.count(of: "state") == 1)
    #expect(log.count(of: "system") == 1)
  }

  @Test("G6: a context goes with the view that owns it, and with it all that runs")
  func g6() async {
    struct Screen: View {
      @ViewContext var context: Context<Form>

      init(_ canary: Canary, started: Signal, ended: Signal) {
        _context = ViewContext(
          state: Form.State(),
          system: Form(
            canary: canary,
            list: [
              Feedback(.once) { _ async in
                started.give()
                _ = await Signal().wait()
                ended.give()
                return nil
              }
            ]))
      }

      var body: some View {
        Text("\(context.a)").running(_context)
      }
    }
    let (gone, started, ended) = (Signal(), Signal(), Signal())
    var host: Host? = Host { Screen(Canary(gone), started: started, ended: ended) }
    _ = await started.wait()
    #expect(host?.lines == ["0"])
    host = nil
    _ = await ended.wait()
    _ = await gone.wait()
  }
}
