import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import CounterSystem
import SwiftUI
import Testing

@MainActor @Suite("ViewContext", .timeLimit(.minutes(10)))
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
        Reader(context: context, log: log, name: "element") { "\($0[\.list[0]])" }
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
    let names = ["a", "nested", "element", "handle"]
    #expect(log.entries == names)
    await context.rest()
    for number in 1...1_000 {
      context.send(
        .init {
          $0.b = number
          $0.nested.b = number
          $0.list[1] = number
          $0.text = "\(number)"
        })
      host.update()
    }
    #expect(log.entries == names)
    context.send(.init { $0.a = 1 })
    host.update()
    context.send(.init { $0.nested.a = 1 })
    host.update()
    context.send(.init { $0.list[0] = 1 })
    host.update()
    context.send(.init { $0.handle = Form.Handle() })
    host.update()
    #expect(log.entries == names + names)
  }

  @Test("H5: a binding to a field is invalidated by that field alone")
  func h5OfBindings() async throws {
    struct Screen: View {
      @ViewContext var context: Context<Form>
      let log: Log

      var body: some View {
        let _ = log.note("body")
        let text = $context.text.wrappedValue
        let part = $context[\.nested.a].wrappedValue
        TextField("Text \(text) \(part)", text: $context.text)
      }
    }
    let context = Context(state: Form.State(), system: Form())
    let log = Log()
    let host = Host { Screen(context: context, log: log).running(context) }
    await context.rest()
    for number in 1...100 {
      context.send(
        .init {
          $0.a = number
          $0.nested.b = number
        })
      host.update()
    }
    #expect(log.entries.count == 1)
    context.binding.nested.a.wrappedValue = 1
    host.update()
    context.binding.text.wrappedValue = "x"
    host.update()
    #expect(log.entries.count == 3)
    #expect(host.lines == ["Text x 1: x_"])
  }

  @Test("H5: a body that only passes a binding down follows its field, and no other")
  func h5OfBindingsPassedDown() async throws {
    struct Parent: View {
      @ViewContext var context: Context<Form>
      let log: Log

      var body: some View {
        let _ = log.note("body")
        Child(number: $context.a)
      }
    }
    struct Child: View {
      @Binding var number: Int

      var body: some View { Stepper("\(number)", value: $number) }
    }
    let context = Context(state: Form.State(), system: Form())
    let log = Log()
    let host = Host { Parent(context: context, log: log).running(context) }
    await context.rest()
    for number in 1...100 {
      context.send(
        .init {
          $0.b = number
          $0.nested.a = number
        })
      host.update()
    }
    #expect(log.entries.count == 1)
    try host.step("0", by: 1)
    #expect(host.lines == ["1 -/+"])
    #expect(log.entries.count == 2)
  }

  @Test func aChangeHasTheAnimationOfItsBindingOrSend() async {
    let log = Log()
    let binding = Binding(
      ContextBinding(get: { 0 }, set: { log.note("\($0) \(Transaction.current.animation != nil)") })
    )
    binding.wrappedValue = 1
    binding.animation().wrappedValue = 2
    withAnimation { binding.wrappedValue = 3 }
    withAnimation { binding.transaction(Transaction()).wrappedValue = 4 }
    #expect(log.entries == ["1 false", "2 true", "3 true", "4 true"])

    // A feedback that answers within the turn belongs to the change as well.
    let context = Context(
      state: Form.State(),
      system: Form(list: [
        Feedback(.onChanged(\.a)) { state in
          let isAnimated = Transaction.current.animation != nil
          return .init { $0.echo = "\(isAnimated)" }
        }
      ]))
    let running = context.start()
    await context.rest()
    Binding(context.binding.a).animation().wrappedValue = 1
    #expect(context.echo == "true")
    Binding(context.binding.a).wrappedValue = 2
    #expect(context.echo == "false")
    context.send(.init { $0.a = 3 }, animation: .default)
    #expect(context.echo == "true")
    ViewContext(wrappedValue: context).send(.init { $0.a = 4 }, animation: .default)
    #expect(context.echo == "true")
    withAnimation {
      _ = ViewContext(wrappedValue: context).send(.init { $0.a = 5 }, animation: nil)
    }
    #expect(context.echo == "false")
    withExtendedLifetime(running) {}
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
}
