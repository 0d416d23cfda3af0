import AsyncFeedback
import Observation
import Testing

@MainActor @Suite("Law 11: equal is unchanged (observers and shared storage)")
struct Law11NotifyingTests {
  struct Fields: Sendable {
    var text = "a"
    var number = Double.nan
    var name: String?
    var handle: Handle
    var list: [Int] = [1, 2]
  }

  final class Handle: Sendable {}

  @Test func assigningAnUnchangedValueNotifiesNobody() async {
    let handle = Handle()
    let context = Context(state: Fields(handle: handle), system: ChangeSystem {})
    let running = context.start()
    await context.quiet()
    let told = Journal<String>()
    track("text", told) { context.text }
    track("number", told) { context.number }
    track("name", told) { context.binding.name.wrappedValue }
    track("handle", told) { context.handle }
    track("list", told) { context.list }
    context.send(.set(\.text, "a"))
    context.send(.set(\.number, .nan))
    context.send(.set(\.name, nil))
    context.send(.set(\.handle, handle))
    context.send(.set(\.list, [1, 2]))
    context.binding.text.wrappedValue = "a"
    context.binding.name.wrappedValue = nil
    #expect(told.entries == [])
    context.send(.set(\.text, "b"))
    context.send(.set(\.number, 1))
    context.send(.set(\.name, "n"))
    context.send(.set(\.handle, Handle()))
    context.send(.set(\.list, [1]))
    #expect(told.entries == ["text", "number", "name", "handle", "list"])
    running.stop()
  }

  @Test func assigningAnUnchangedValueIsNoNewValueOfASequence() async {
    let context = Context(state: "a", system: ChangeSystem<String> {})
    let running = context.start()
    await context.quiet()
    var values = context.values(of: \.self).makeAsyncIterator()
    #expect(await values.next() == "a")
    context.send(.set(\.self, "a"))
    context.send(.set(\.self, "b"))
    #expect(await values.next() == "b")
    running.stop()
  }

  // MARK: Shared storage

  struct Shelf: Sendable {
    var rows: [Compared]
    var slice: ArraySlice<Compared>
    var nested: [[Compared]]
    var optional: [Compared]?
    var index: [Int: Compared]
    var box: Box
    var own: OwnCollection
    var other = 0
  }

  struct Box: Equatable, Sendable {
    var title = ""
    var rows: [Compared]
  }

  /// A collection whose `==` looks at every element.
  struct OwnCollection: Equatable, Sendable {
    var rows: [Compared]

    static func == (left: Self, right: Self) -> Bool {
      left.rows.elementsEqual(right.rows)
    }
  }

  @Test func sharedStorageIsRecognisedBeforeElementsAreCompared() {
    let comparisons = Comparisons()
    let rows = (0..<100).map { Compared(number: $0, comparisons: comparisons) }
    let log = Journal<String>()
    let shelf = Shelf(
      rows: rows, slice: rows[10..<20], nested: [rows, rows], optional: rows,
      index: Dictionary(uniqueKeysWithValues: rows.map { ($0.number, $0) }), box: Box(rows: rows),
      own: OwnCollection(rows: rows))
    let rehearsal = Rehearsal<Shelf, Change<Shelf>>(shelf) { _ in
      Feedback(.onChanged(\.rows)) { _ in log.note("rows", answering: nil) }
      Feedback(.onChanged(\.slice)) { _ in log.note("slice", answering: nil) }
      Feedback(.onChanged(\.nested)) { _ in log.note("nested", answering: nil) }
      Feedback(.onChanged(\.optional)) { _ in log.note("optional", answering: nil) }
      Feedback(.onChanged(\.index)) { _ in log.note("index", answering: nil) }
      Feedback(.onChanged(\.box)) { _ in log.note("box", answering: nil) }
      Feedback(.onChanged(\.own)) { _ in log.note("own", answering: nil) }
      Feedback(.onChanged(\.own, \.other)) { _ in log.note("pair", answering: nil) }
      Feedback.request(\.optional) { _ in log.note("request", answering: nil) }
    }
    rehearsal.run()
    log.clear()
    for _ in 0..<10 { rehearsal.send(Change { $0.box.title = "" }) }
    rehearsal.send(Change { $0.nested = [rows, rows] })
    #expect(log.entries == [])
    #expect(comparisons.count == 0)
    rehearsal.send(Change { $0.rows[99].number = -1 })
    #expect(log.entries == ["rows"])
    #expect(comparisons.count == 100)
  }
}

/// Tracks a read, and writes down a word when it changes.
@MainActor
func track<Value>(_ word: String, _ told: Journal<String>, _ read: @MainActor () -> Value) {
  withObservationTracking {
    _ = read()
  } onChange: {
    told.note(word)
  }
}
