import AsyncFeedback
import Observation
import Testing

@MainActor @Suite("Law 12: what a sending binding has written while its event waits")
struct Law12DraftTests {
  struct Form: Sendable, Equatable {
    var text = ""
    var name: String? = "n"
    var person = Person()
    /// Without a setter.
    var shout: String { text.uppercased() }
  }

  struct Person: Sendable, Equatable { var name = "", other = 0 }

  typealias FormContext = Context<ChangeSystem<Form>>

  func makeForm() -> FormContext {
    Context(state: Form(), system: ChangeSystem<Form> {})
  }

  /// Sends what is written without its digits.
  func text(of context: FormContext) -> ContextBinding<String> {
    context.binding(\.text) { text in Change { $0.text = text.filter { !$0.isNumber } } }
  }

  @Test func itReadsItsOwnWriteWhileTheEventWaits() async {
    let context = makeForm()
    for letter in "ab1c" { text(of: context).wrappedValue.append(letter) }
    #expect(text(of: context).wrappedValue == "ab1c")
    #expect(context.text == "", "nothing has been reduced")
    let running = context.start()
    await context.quiet()
    #expect(text(of: context).wrappedValue == "abc")
    #expect(context.text == "abc")
    running.stop()
  }

  @Test func aNewerDraftOutlivesTheEventOfAnOlder() async {
    let context = makeForm()
    for letter in "ab" {
      text(of: context).wrappedValue.append(letter)
      context.send(Change { $0.person.other += 1 })
    }
    let read = Journal<String>()
    withObservationTracking {
      _ = context.person
    } onChange: {
      MainActor.assumeIsolated { read.note("\(context.text) \(text(of: context).wrappedValue)") }
    }
    let running = context.start()
    await context.quiet()
    #expect(read.entries == ["a ab"])
    running.stop()
  }

  @Test("Law 9: a draft keeps nothing of a context that goes")
  func law9() {
    final class Token: Sendable {}
    weak var token: Token?
    do {
      let kept = Token()
      token = kept
      let context = Context(
        state: Form(),
        system: ClosureSystem<Form, String>(
          reduce: { state, text in withExtendedLifetime(kept) { state.text = text } }, list: []))
      let binding = context.binding(\.text) { $0 }
      binding.wrappedValue = "a"
      #expect(binding.wrappedValue == "a")
    }
    #expect(token == nil)
  }

  @Test func aWriteBehindTheEventShowsInTheDraft() async {
    let context = makeForm()
    let told = Journal<String>()
    text(of: context).wrappedValue = "abc"
    watchText(of: context, told)
    // The state has an empty text already, so of the field nobody is told.
    context.binding.text.wrappedValue = ""
    #expect(told.entries == [""])
    text(of: context).wrappedValue.append("d")
    context.binding.person.other.wrappedValue = 1
    #expect(text(of: context).wrappedValue == "d")
    let running = context.start()
    await context.quiet()
    #expect(context.text == "d")
    running.stop()
  }

  @Test func aWriteOfTheWholeShowsInTheDraftOfAPart() {
    let context = makeForm()
    let name = context.binding(\.person.name) { name in Change { $0.person.name = name } }
    name.wrappedValue = "a"
    context.binding.person.wrappedValue.other = 2
    context.binding.person.wrappedValue = Person(name: "b", other: 3)
    #expect(name.wrappedValue == "b")
  }

  @Test func aDraftMayBeNilOrOfAFieldWithoutASetter() {
    let context = makeForm()
    let name = context.binding(\.name) { name in Change { $0.name = name } }
    name.wrappedValue = nil
    #expect(name.wrappedValue == nil)
    let shout = context.binding(\.shout) { text in Change { $0.text = text } }
    shout.wrappedValue = "hey"
    #expect(shout.wrappedValue == "hey")
    context.binding.text.wrappedValue = "you"
    #expect(shout.wrappedValue == "YOU")
  }

  @Test func aDraftWritesNothingThroughAReference() {
    struct Holder: Sendable {
      let object = Object()
      var other = 0
    }
    final class Object: @unchecked Sendable { var number = 1 }
    let context = Context(state: Holder(), system: ChangeSystem<Holder> {})
    let number = context.binding(\.object.number) { number in
      Change { $0.object.number = number }
    }
    number.wrappedValue = 2
    context.binding.other.wrappedValue = 1
    #expect(number.wrappedValue == 2)
    #expect(context[\.object].number == 1)
  }

  /// What is to be seen of a context, by the letter of the law.
  private struct Model {
    enum Waiting { case event(String), write((inout Form) -> Void) }

    var form = Form()
    var isRunning = false
    var waiting: [Waiting] = []
    var draft: String?

    /// The state with the waiting writes applied.
    var visible: Form {
      waiting.reduce(into: form) { form, entry in
        if case .write(let write) = entry { write(&form) }
      }
    }

    var text: String { draft ?? visible.text }

    mutating func add(_ entry: Waiting) {
      waiting.append(entry)
      switch entry {
      case .event(let text): draft = text
      case .write(let write):
        guard let text = draft else { break }
        var form = visible
        form.text = text
        write(&form)
        draft = form.text
      }
      if isRunning { reduce() }
    }

    mutating func reduce() {
      for entry in waiting {
        switch entry {
        case .event(let text): form.text = text.filter { !$0.isNumber }
        case .write(let write): write(&form)
        }
      }
      waiting = []
      draft = nil
    }
  }

  @Test(arguments: 0..<100)
  func everyReadIsThatOfTheModel(seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    let context = makeForm()
    var model = Model()
    var running: Running?
    for step in 0..<40 {
      let letter = ["a", "b", "1"].randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        text(of: context).wrappedValue.append(letter)
        model.add(.event(model.text + letter))
      case 3:
        text(of: context).wrappedValue = ""
        model.add(.event(""))
      case 4:
        let written = Bool.random(using: &random) ? "" : context.text + letter
        context.binding.text.wrappedValue = written
        model.add(.write { $0.text = written })
      case 5:
        context.binding.wrappedValue = Form(text: letter)
        model.add(.write { $0 = Form(text: letter) })
      case 6:
        context.binding.person.other.wrappedValue = step
        model.add(.write { $0.person.other = step })
      default:
        if let former = running {
          former.stop()
          await former.ended()
          running = nil
        } else {
          running = context.start()
          await context.quiet()
          model.reduce()
        }
        model.isRunning = running != nil
      }
      #expect(text(of: context).wrappedValue == model.text)
      #expect(context[\.self] == model.visible)
    }
    running?.stop()
  }
}
