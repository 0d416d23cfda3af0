import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import SwiftUI
import Testing

@MainActor @Suite("Bindings to the elements of a list", .timeLimit(.minutes(10)))
struct ListBindingTests {
  struct Notes: SystemProtocol {
    struct Note: Sendable, Equatable, Identifiable { let id: Int; var text = "" }

    struct State: Sendable {
      var notes = (0..<3).map { Note(id: $0) }
      var other = 0
    }

    enum Event: Sendable { case removed(Int), touched }

    func reducer() -> Reducer {
      { state, event in
        switch event {
        case .removed(let id): state.notes.removeAll { $0.id == id }
        case .touched: state.other += 1
        }
      }
    }

    func feedbacks() -> [Feedback<Self>] {
      // What is written “x” is removed.
      Feedback(.onChanged(\.notes)) { state in
        state.notes.first { $0.text == "x" }.map { .removed($0.id) }
      }
    }
  }

  struct Screen: View {
    @ViewContext var context: Context<Notes>
    let log: Log

    var body: some View {
      let _ = log.note("screen")
      ForEach($context.notes) { $note in
        NoteField(text: $note.text, number: note.id)
      }
    }
  }

  struct NoteField: View {
    @Binding var text: String
    let number: Int
    @State private var edits = 0

    var body: some View {
      TextField("note \(number)", text: $text)
      Button("edit \(number) \(edits)") { edits += 1 }
    }
  }

  private func titles(_ host: Host) -> [String] {
    host.lines.filter { !$0.hasPrefix("[") }
  }

  @Test func eachRowIsBoundToItsElement() async throws {
    let context = Context(state: Notes.State(), system: Notes())
    let log = Log()
    let host = Host { Screen(context: context, log: log).running(context) }
    await context.rest(after: .touched)
    #expect(log.entries.count == 1, "another field is none of the list's")
    try host.type("ab", into: "note 1")
    try host.type("c", into: "note 2")
    try host.tap("edit 2 0")
    #expect(titles(host) == ["note 0: _", "note 1: ab_", "note 2: c_"])
    context.send(.removed(0))
    host.update()
    try host.type("d", into: "note 2")
    #expect(titles(host) == ["note 1: ab_", "note 2: cd_"])
    #expect(host.lines.last == "[edit 2 1]")
  }

  @Test func aRowThatGoesAsItIsWrittenIsNoTrap() async throws {
    let context = Context(state: Notes.State(), system: Notes())
    let host = Host { Screen(context: context, log: Log()).running(context) }
    await context.rest(after: .touched)
    try host.type("x", into: "note 2")
    #expect(titles(host) == ["note 0: _", "note 1: _"])
    try host.type("x", into: "note 0")
    try host.type("x", into: "note 1")
    #expect(titles(host) == [])
  }

  @Test func anElementIsFollowedAloneUntilItsPlaceIsGone() async throws {
    struct Element: View {
      let context: Context<Notes>
      let log: Log

      var body: some View {
        let _ = log.note("body")
        if context[\.notes.count] > 2 {
          TextField("last", text: Binding(context.binding.notes[2].text))
        } else {
          Text("none")
        }
      }
    }
    let context = Context(state: Notes.State(), system: Notes())
    let log = Log()
    let host = Host { Element(context: context, log: log).running(context) }
    await context.rest(after: .touched)
    for number in 0..<100 {
      context.binding.notes[0].text.wrappedValue = "\(number)"
      host.update()
    }
    #expect(log.entries.count == 1)
    try host.type("a", into: "last")
    #expect(log.entries.count == 2)
    context.send(.removed(0))
    host.update()
    #expect(host.lines == ["none"])
    #expect(log.entries.count == 3)
  }
}
