import AsyncFeedback
import Testing

/// An object that is compared by what it holds.
private final class EquatableBox: Sendable, Equatable {
  private let content: Lock<Int>

  var value: Int {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }

  init(_ value: Int) { content = Lock(value) }

  static func == (left: EquatableBox, right: EquatableBox) -> Bool { left.value == right.value }
}

/// An object that is compared by which it is.
private final class PlainBox: Sendable {
  private let content: Lock<Int>

  var value: Int {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }

  init(_ value: Int) { content = Lock(value) }
}

@Suite("Cases D: references in the state", .timeLimit(.minutes(10)))
struct ChangeDetectionReferenceTests {
  private enum Event: Sendable {
    case equatableMutated(Int), equatableSwapped(Int), plainMutated(Int), plainSwapped(Int)
    case nothing
  }

  private struct State: Sendable {
    var equatable = EquatableBox(1)
    var plain = PlainBox(1)
  }

  private typealias Subject = ClosureSystem<State, Event>
  private let journal = Journal<String>()

  private func subject(_ feedbacks: [Feedback<Subject>]) -> Subject {
    Subject(
      { state, event in
        switch event {
        case .equatableMutated(let value): state.equatable.value = value
        case .equatableSwapped(let value): state.equatable = EquatableBox(value)
        case .plainMutated(let value): state.plain.value = value
        case .plainSwapped(let value): state.plain = PlainBox(value)
        case .nothing: break
        }
      }, feedbacks: feedbacks)
  }

  private func journal(
    of events: [Event], _ feedbacks: [Feedback<Subject>], venue: Venue
  ) async -> [String] {
    let context = Context(
      state: State(), system: subject(feedbacks), executor: venue.executor())
    let running = context.start()
    await context.quiet()
    for event in events { await context.send(event).settled() }
    running.stop()
    await running.ended()
    return journal.entries
  }

  private var watching: [Feedback<Subject>] {
    [
      Feedback(.onChanged(\.equatable)) { state in
        journal.note("equatable \(state.equatable.value)")
        return nil
      },
      Feedback(.onChanged(\.plain)) { state in
        journal.note("plain \(state.plain.value)")
        return nil
      },
    ]
  }

  @Test(
    "D3: an object that was changed where it stands is the same object", arguments: Venue.allCases)
  func mutatedInPlace(venue: Venue) async {
    let seen = await journal(
      of: [.equatableMutated(2), .plainMutated(2), .nothing], watching, venue: venue)
    #expect(seen == ["equatable 1", "plain 1"])
  }

  @Test("D3: a swapped object is compared by its ==, else by identity", arguments: Venue.allCases)
  func swapped(venue: Venue) async {
    let seen = await journal(
      of: [.equatableSwapped(1), .plainSwapped(1), .equatableSwapped(2), .plainSwapped(2)],
      watching, venue: venue)
    #expect(seen == ["equatable 1", "plain 1", "plain 1", "equatable 2", "plain 2"])
  }

  @Test(
    "D3: a value read from the object shows every change, and the one before it",
    arguments: Venue.allCases)
  func valueOfAnObject(venue: Venue) async {
    let pairs = Journal<[Int]>()
    let feedback = Feedback<Subject>(
      .onChanged(
        { $0.plain.value },
        by: { old, new in
          pairs.note([old, new])
          return old == new
        })
    ) { state in
      journal.note("\(state.plain.value)")
      return nil
    }
    let seen = await journal(
      of: [.plainMutated(2), .plainMutated(2), .plainMutated(3)], [feedback], venue: venue)
    #expect(seen == ["1", "2", "3"])
    // The first pass compares with the state that the context was made with.
    #expect(pairs.entries.suffix(3) == [[1, 2], [2, 2], [2, 3]])
  }

  @Test(
    "D3: a trigger that changes the object itself misleads nobody else", arguments: Venue.allCases)
  func mutatedInATrigger(venue: Venue) async {
    let meddling = Feedback<Subject>(
      .onChanged({ state in
        state.plain.value += 1
        return 0
      })
    ) { _ in nil }
    let seen = await journal(of: [.nothing, .nothing], [meddling] + watching, venue: venue)
    // The objects are the same ones, so nothing has changed for anybody.
    #expect(seen.count == 2)
  }
}

@Suite("Cases D: unchanged values", .timeLimit(.minutes(10)))
struct ChangeDetectionValueTests {
  private struct Plain: Sendable {
    var number = 0
    var text = "a"
  }

  private struct Holder: Sendable, Equatable { var x = Double.nan }

  private struct State: Sendable {
    var equal = 0
    var plain = Plain()
    var nan = Double.nan
    var held = Holder()
    var optional: Double? = .nan
    var zero = 0.0
    var array = [Double.nan]
    var other = 0
  }

  private typealias Change = @Sendable (inout State) -> Void
  private typealias Subject = ClosureSystem<State, Change>
  private let journal = Journal<String>()

  private func watch<Value: Equatable & Sendable>(
    _ name: String, _ value: @escaping @Sendable (State) -> Value
  ) -> Feedback<Subject> {
    Feedback(.onChanged(value)) { _ in
      journal.note(name)
      return nil
    }
  }

  private var system: Subject {
    let plain = Feedback<Subject>(.onChanged(\.plain)) { _ in
      journal.note("plain")
      return nil
    }
    return Subject(
      { $1(&$0) },
      feedbacks: [
        watch("equal", \.equal), plain, watch("nan", \.nan), watch("held", \.held),
        watch("optional", \.optional), watch("zero", \.zero), watch("array", \.array),
      ])
  }

  /// What is noted for the changes, without what the first pass notes.
  private func noted(_ changes: [Change], venue: Venue) async -> [String] {
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    let first = journal.entries.count
    for change in changes { await context.send(change).settled() }
    running.stop()
    await running.ended()
    return Array(journal.entries.dropFirst(first))
  }

  @Test(
    "D5: assigning an unchanged value triggers nothing, a changed one does",
    arguments: Venue.allCases)
  func unchangedValue(venue: Venue) async {
    let unchanged: [Change] = [
      { $0.equal = 0 }, { $0.plain = Plain() }, { $0.plain.text = "a" },
      {
        $0.equal += 1; $0.equal -= 1
      }, { $0.other += 1 },
    ]
    #expect(await noted(unchanged, venue: venue) == [])
    #expect(
      await noted([{ $0.equal = 1 }, { $0.plain.number = 1 }], venue: venue) == ["equal", "plain"])
  }

  @MainActor
  @Test("D5: an unchanged value notifies no observer")
  func unchangedValueAndObservers() async {
    let context = Context(state: State(), system: Subject({ $1(&$0) }))
    let running = context.start()
    await context.quiet()
    let equal = FieldObserver({ context.equal })
    let plain = FieldObserver({ context.plain.number })
    let whole = FieldObserver({ context.plain })
    var values = context.values(of: \.plain).makeAsyncIterator()
    #expect(await values.next()?.number == 0)
    context.send { $0.equal = 0 }
    context.send { $0.plain = Plain() }
    context.binding.equal.wrappedValue = 0
    #expect((equal.values, plain.values, whole.values.count) == ([0], [0], 1))
    context.send { $0.equal = 1 }
    context.send { $0.plain.number = 1 }
    #expect((equal.values, plain.values, whole.values.count) == ([0, 1], [0, 1], 2))
    // What was unchanged was not put there for the consumer either.
    #expect(await values.next()?.number == 1)
    running.stop()
    await running.ended()
  }

  @Test("D8: NaN is unchanged while it stays the same bit by bit", arguments: Venue.allCases)
  func nan(venue: Venue) async {
    let unrelated: [Change] = (0..<10).map { _ in { $0.other += 1 } }
    #expect(await noted(unrelated, venue: venue) == [])
    let assigned: [Change] = [{ $0.nan = .nan }, { $0.held = Holder() }, { $0.optional = .nan }]
    #expect(await noted(assigned, venue: venue) == [])
    let changed: [Change] = [{ $0.nan = 1 }, { $0.held.x = 1 }, { $0.optional = nil }]
    #expect(await noted(changed, venue: venue) == ["nan", "held", "optional"])
    let back: [Change] = [{ $0.nan = 1 }, { $0.nan = .nan }]
    #expect(await noted(back, venue: venue) == ["nan", "nan"])
  }

  @Test("D8: the documented limits hold", arguments: Venue.allCases)
  func limits(venue: Venue) async {
    #expect(await noted([{ $0.zero = -0.0 }], venue: venue) == [])
    // A rebuilt array that holds NaN differs.
    #expect(await noted([{ $0.array = [.nan] }], venue: venue) == ["array"])
    #expect(await noted([{ $0.other += 1 }], venue: venue) == [])
  }
}
