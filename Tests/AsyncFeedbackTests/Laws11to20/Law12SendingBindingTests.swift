import AsyncFeedback
import Observation
import Testing

@MainActor @Suite("Law 12: a binding that sends an event instead")
struct Law12SendingBindingTests {
  struct Volume: Sendable {
    var level = 5
    var other = 0
  }

  enum Event: Sendable { case levelEntered(Int), touched }

  /// Keeps the level within 0...10.
  private func makeContext() -> Context<ClosureSystem<Volume, Event>> {
    Context(
      state: Volume(),
      system: ClosureSystem<Volume, Event>(
        reduce: { state, event in
          switch event {
          case .levelEntered(let level): state.level = min(max(level, 0), 10)
          case .touched: state.other += 1
          }
        }, list: []))
  }

  /// Tracks the level as a view does: it looks again whenever it is told.
  private func watch(_ context: Context<ClosureSystem<Volume, Event>>, _ told: Journal<Int>) {
    withObservationTracking {
      _ = context.level
    } onChange: {
      MainActor.assumeIsolated {
        told.note(context.level)
        watch(context, told)
      }
    }
  }

  @Test func itSendsTheEventAndReadsTheField() async {
    let context = makeContext()
    let running = context.start()
    await context.quiet()
    let binding = context.binding(\.level) { .levelEntered($0) }
    let told = Journal<Int>()
    watch(context, told)
    binding.wrappedValue = 7
    #expect(binding.wrappedValue == 7)
    #expect(told.entries == [7])
    running.stop()
  }

  @Test func aCorrectionIsToldOnce() async {
    let context = makeContext()
    let running = context.start()
    await context.quiet()
    let binding = context.binding(\.level) { .levelEntered($0) }
    let told = Journal<Int>()
    watch(context, told)
    binding.wrappedValue = 12
    #expect(told.entries == [10], "the correction changes the field")
    binding.wrappedValue = 12
    #expect(told.entries == [10, 10], "the correction leaves the field as it was")
    binding.wrappedValue = 10
    #expect(told.entries == [10, 10], "the field is what was written")
    running.stop()
  }

  @Test func anEventThatWaitsIsToldOnceWhenItWasReduced() async {
    let context = makeContext()
    let binding = context.binding(\.level) { .levelEntered($0) }
    let told = Journal<Int>()
    watch(context, told)
    binding.wrappedValue = 7
    #expect(told.entries == [], "nothing has been reduced")
    let running = context.start()
    await context.quiet()
    #expect(told.entries == [7])
    running.stop()
  }

  @Test func aCorrectionThatWaitsIsToldOnceWhenItWasReduced() async {
    let context = makeContext()
    let running = context.start()
    await context.quiet()
    context.send(.levelEntered(10))
    let told = Journal<Int>()
    watch(context, told)
    withObservationTracking {
      _ = context.other
    } onChange: {
      MainActor.assumeIsolated {
        context.binding(\.level) { .levelEntered($0) }.wrappedValue = 12
        told.note(-1)
      }
    }
    context.send(.touched)
    await context.quiet()
    #expect(told.entries == [-1, 10])
    running.stop()
  }

  // MARK: Drafts

  struct Form: Sendable, Equatable {
    var text = ""
    var name: String? = "n"
    var person = Person()
    /// Without a setter.
    var shout: String { text.uppercased() }
  }

  struct Person: Sendable, Equatable { var name = "", other = 0 }

  private typealias FormContext = Context<ChangeSystem<Form>>

  private func makeForm() -> FormContext {
    Context(state: Form(), system: ChangeSystem<Form> {})
  }

  /// Sends what is written without its digits.
  private func text(of context: FormContext) -> ContextBinding<String> {
    context.binding(\.text) { text in Change { $0.text = text.filter { !$0.isNumber } } }
  }

  /// Notes what the binding of the text reads, whenever that is told.
  private func watchText(of context: FormContext, _ told: Journal<String>) {
    withObservationTracking {
      _ = text(of: context).wrappedValue
    } onChange: {
      MainActor.assumeIsolated {
        told.note(text(of: context).wrappedValue)
        watchText(of: context, told)
      }
    }
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

  @Test func whoReadsTheBindingIsToldOfEachDraftAndNeverOfAnOlderText() async {
    let context = makeForm()
    let (told, toldField) = (Journal<String>(), Journal<String>())
    watchText(of: context, told)
    withObservationTracking {
      _ = context.text
    } onChange: {
      toldField.note("told")
    }
    for letter in "ab" { text(of: context).wrappedValue.append(letter) }
    #expect(told.entries == ["a", "ab"])
    #expect(toldField.entries == [])
    let running = context.start()
    await context.quiet()
    #expect(Set(told.entries.dropFirst(2)) == ["ab"], "the turn of each event tells of the field")
    #expect(toldField.entries == ["told"])
    running.stop()
  }

  @Test func aDraftThatIsRefusedIsToldOnceAsItsEventIsReduced() async {
    let context = makeForm()
    let told = Journal<String>()
    watchText(of: context, told)
    text(of: context).wrappedValue = "1"
    let running = context.start()
    await context.quiet()
    #expect(told.entries == ["1", ""])
    running.stop()
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
}
