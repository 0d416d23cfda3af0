import Observation
import Testing

@testable import AsyncFeedback

// Who is told of a draft.
extension Law12DraftTests {
  /// Notes what the binding of the text reads, whenever that is told.
  func watchText(of context: FormContext, _ told: Journal<String>) {
    withObservationTracking {
      _ = text(of: context).wrappedValue
    } onChange: {
      MainActor.assumeIsolated {
        told.note(text(of: context).wrappedValue)
        watchText(of: context, told)
      }
    }
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

  @Test(arguments: [("1", ""), ("a1", "a")])
  func aDraftThatIsCorrectedIsToldOnceAsItsEventIsReduced(draft: String, correction: String) async {
    let context = makeForm()
    let told = Journal<String>()
    watchText(of: context, told)
    text(of: context).wrappedValue = draft
    let running = context.start()
    await context.quiet()
    #expect(told.entries == [draft, correction])
    running.stop()
  }

  @Test func whoReadsTheBindingIsToldOfADraftOfATurnAfterThoseWhoAreBeingTold() async {
    let context = makeForm()
    let running = context.start()
    await context.quiet()
    let told = Journal<String>()
    watchText(of: context, told)
    for number in 1...2 {
      withObservationTracking {
        _ = context.person
      } onChange: {
        MainActor.assumeIsolated {
          text(of: context).wrappedValue.append("\(number)a")
          told.note("\(number): \(text(of: context).wrappedValue)")
        }
      }
    }
    context.binding.person.other.wrappedValue = 1
    // Two who are told of the same change have no order among them.
    #expect(Set(told.entries.prefix(2).map(\.first)) == ["1", "2"])
    #expect(told.entries.last == "aa")
    running.stop()
  }

  @Test func aDraftThatChangesNothingIsNotTold() {
    let context = makeForm()
    let told = Journal<String>()
    watchText(of: context, told)
    text(of: context).wrappedValue = ""
    #expect(told.entries == [])
    text(of: context).wrappedValue = "a"
    text(of: context).wrappedValue = "a"
    #expect(told.entries == ["a"])
  }

  @Test func aDraftOfATurnInWhichTheLoopStopsIsToldAtItsEnd() async {
    let context = makeForm()
    let running = context.start()
    await context.quiet()
    let told = Journal<String>()
    watchText(of: context, told)
    withObservationTracking {
      _ = context.person
    } onChange: {
      MainActor.assumeIsolated {
        text(of: context).wrappedValue = "a1"
        running.stop()
      }
    }
    context.send(Change { $0.person.other = 1 })
    #expect(told.entries == ["a1"])
    await running.ended()
    #expect(context.text == "")
    let second = context.start()
    await context.quiet()
    #expect(told.entries == ["a1", "a"])
    second.stop()
  }

  @Test func aFeedbackThatTakesTheWriteBackIsNoCorrection() async {
    let context = Context(
      state: Form(),
      system: ChangeSystem<Form> {
        Feedback(.onChanged(\.text)) { state in
          state.text.isEmpty ? nil : Change { $0.text = "" }
        }
      })
    let running = context.start()
    await context.quiet()
    let told = Journal<String>()
    watchText(of: context, told)
    text(of: context).wrappedValue = "a"
    #expect(told.entries == ["a", ""])
    running.stop()
  }

  @Test("Law 2: however many drafts wait, one watch is kept for them")
  func law2() async {
    let context = makeForm()
    for _ in 0..<1_000 { text(of: context).wrappedValue.append("a") }
    // That of the field, and that of the draft.
    #expect(context.driver.watcherCount == 2)
    let running = context.start()
    await context.quiet()
    #expect(context.text.count == 1_000)
    #expect(context.driver.drafts.isEmpty)
    running.stop()
  }

  @Test("Law 13: what is kept for those who read a draft goes with what is kept for the field")
  func law13() async {
    struct Rows: Sendable { var rows: [Int: String] = [:] }
    let context = Context(state: Rows(), system: ChangeSystem<Rows> {})
    let running = context.start()
    await context.quiet()
    for number in 0..<100 {
      context.send(Change { $0.rows[number] = "row" })
      let row = context.binding(\.rows[number]) { row in Change { $0.rows[number] = row } }
      #expect(row.wrappedValue == "row")
      context.send(Change { $0.rows[number] = nil })
    }
    #expect(context.driver.fields.isEmpty)
    #expect(context.driver.draftCells.isEmpty)
    #expect(context.driver.watcherCount == 0)
    running.stop()
  }
}
