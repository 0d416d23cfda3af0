import AsyncFeedback
import AsyncFeedbackTestSupport
import Observation
import Testing

// The lines by which stores are known to their users, as they write them. What compiles here must not
// change its spelling. `MainActorByDefaultTests` has the same for the main actor as the default.

private struct Membership: Sendable, Equatable { var id: Int }

private final class User: Sendable {
  var ids: AsyncStream<Int> {
    AsyncStream { continuation in
      continuation.yield(1)
      continuation.finish()
    }
  }
}

@MainActor @Observable private final class Memberships: StreamValue<[Membership]> {
  init(user: User) {
    super.init {
      user.ids
        .map { [Membership(id: $0)] }
        .map { @MainActor in try check($0) }
    }
  }
}

@MainActor private func check(_ memberships: [Membership]) throws -> [Membership] { memberships }

@MainActor @Observable private final class Untyped: StreamValue<Int> {
  init(user: User) {
    super.init { user.ids.map { $0 } }
  }
}

@Observable private final class Empty: StreamValue<Empty.State> {}

extension Empty {
  fileprivate struct State: Sendable { var id = 0 }

  fileprivate convenience init(id: Int) {
    self.init { User().ids.map { State(id: $0 + id) } }
  }

  /// Has to find no initialiser of the same form.
  fileprivate convenience init() {
    self.init(id: 3)
  }
}

@MainActor @Observable private final class Overriding: StreamValue<Int> {
  var start = 1 {
    didSet { refresh() }
  }

  init(start: Int) {
    self.start = start
    super.init()
  }

  override func makeStream() -> S {
    let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    continuation.yield(start)
    continuation.finish()
    return stream
  }
}

@MainActor private final class Feed<Element: Sendable> {
  private(set) var continuations: [AsyncThrowingStream<Element, any Error>.Continuation] = []

  func make() -> any AsyncSequence<Element, any Error> & Sendable {
    let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
    continuations.append(continuation)
    return stream
  }
}

private struct Odd: Error {}

/// A sequence with a failure of its own type.
private struct Fails: AsyncSequence, Sendable {
  func makeAsyncIterator() -> Iterator { Iterator() }

  struct Iterator: AsyncIteratorProtocol {
    mutating func next() async throws(Odd) -> Int? { throw Odd() }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Odd) -> Int? {
      throw Odd()
    }
  }
}

@Suite("Surface of stores", .timeLimit(.minutes(10)))
@MainActor struct StoreSurfaceTests {
  private func some() -> some AsyncSequence<Int, Never> & Sendable { User().ids }
  private func any() -> any AsyncSequence<Int, Never> & Sendable { User().ids }
  private func someTyped() -> some AsyncSequence<Int, Odd> & Sendable { Fails() }
  private func anyTyped() -> any AsyncSequence<Int, Odd> & Sendable { Fails() }

  @Test("M3: sequences of any failure enter, from some and any")
  func m3() async {
    let stores = [
      StreamValue<Int> { some() }, StreamValue<Int> { any() }, StreamValue { User().ids },
      StreamValue<Int> { any().erasingFailure() }, StreamValue<Int> { some().erasingFailure() },
    ]
    for store in stores {
      await store.run()
      #expect(store.state.data == 1)
    }
    for store in [StreamValue<Int> { someTyped() }, StreamValue<Int> { anyTyped() }] {
      await store.run()
      #expect(store.state.failure is Odd)
    }
  }

  @Test func factoriesAndOverridesAreWrittenInEveryKnownForm() async {
    let feed = Feed<Int>()
    let fed = StreamValue<Int> { feed.make() }
    let statements = StreamValue<Int> {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      continuation.yield(4)
      continuation.finish()
      return stream
    }
    let factory: @MainActor () -> StreamValue<Int>.S = { feed.make() }
    let given = StreamValue<Int>(factory)
    #expect([fed.runID, given.runID, statements.runID].count == 3)
    await statements.run()
    #expect(statements.state.data == 4)
    let memberships = Memberships(user: User())
    await memberships.run()
    #expect(memberships.state.data == [Membership(id: 1)])
    let untyped = Untyped(user: User())
    await untyped.run()
    #expect(untyped.state.data == 1)
    let empty = Empty()
    await empty.run()
    #expect(empty.state.data?.id == 4)
    let overriding = Overriding(start: 7)
    await overriding.run()
    #expect(overriding.state.data == 7)
    overriding.start = 8
    await overriding.run()
    #expect(overriding.state.data == 8)
  }

  @Test func theMembersHaveTheirNames() async throws {
    let store = StreamValue<Membership> { AsyncStream { $0.finish() } }
    let state: StreamState<Membership> = store.state
    let id: StreamRunID = store.runID
    let tap: () -> Void = store.refresh
    tap()
    #expect(store.runID != id)
    store.refresh(keepingValue: true)
    store.patch { $0 }
    let binding: ContextBinding<Int?> = store.binding(\.id)
    #expect(binding.wrappedValue == nil)
    let word = state.when(value: { "\($0)" }, error: { "\($0)" }, empty: { "empty" })
    let part = state.maybeWhen(value: nil, error: nil, empty: nil, orElse: { word })
    #expect(part == "empty")
    let converted: StreamState<Int> = state.whenValue { $0.id }
    #expect(converted.data == nil)

    let future = FutureValue<String, Int>(operation: { params in params.count })
    let operation: FutureValue<String, Int>.Operation = { $0.count }
    let shown: FutureValue<String, Int>.State<Int> = FutureValue(operation: operation).state
    switch shown {
    case .initial, .loading, .success, .failure: break
    }
    future.execute("abc")
    future.reset()
    #expect(!future.isLoading && future.data == nil)

    let effect = SideEffect<Int, String> { "\($0)" }
    #expect(try await effect.run(3) == "3")
    try await SideEffect<Void, Void> {}.run()

    let memo = Memo { (first: Int, second: String) in "\(first)\(second)" }
    #expect(memo.value(for: 1, "a") == "1a")
  }

  @Test func feedbacksOfStoresAreWrittenLikeThis() {
    struct Fields: Sendable {
      var room: Int?
      var query: String?
    }
    typealias Noted = Change<Fields>
    let store = StreamValue<Int> { AsyncStream { $0.finish() } }
    let memberships = Memberships(user: User())
    let future = FutureValue<String, Int> { $0.count }
    let effect = SideEffect<String, Int> { $0.count }
    let list: [Feedback<ChangeSystem<Fields>>] = [
      .stream(\.room) { room in
        AsyncStream<Int> { $0.yield(room) }
      } catch: { _ in
        nil
      } end: {
        Noted { $0.room = nil }
      } event: { number in
        Noted { $0.room = number }
      },
      .stream {
        AsyncStream<Int> { $0.finish() }
      } end: {
        nil
      } event: { _ in
        nil
      },
      .stream(\.room) { _ in
        store
      } event: { state in
        Noted { $0.room = state.data }
      },
      .stream(\.room, name: "room", store: { _ in store }) { _ in nil },
      .stream {
        memberships
      } end: {
        nil
      } event: { state in
        Noted { $0.room = state.data?.first?.id }
      },
      .request(\.query, executing: future, catch: { _ in nil }) { number in
        Noted { $0.room = number }
      },
      .request(\.query, running: effect, policy: .queued, name: "count", catch: { _ in nil }) {
        number in
        Noted { $0.room = number }
      },
    ]
    let names = Set(list.map(\.declaration.name))
    #expect(names.isSuperset(of: ["room", "count"]))
  }
}
