import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Feedbacks of sequences and stores", .timeLimit(.minutes(10)))
@MainActor struct StoreFeedbackTests {
  struct Fields: Sendable {
    var room: Int?
    var log: [String] = []
    var ends = 0
  }

  typealias System = ChangeSystem<Fields>

  /// The stores by their rooms, and what feeds them.
  @MainActor final class Rooms {
    let feeds = [1: TestFeed<Int>(limit: patience), 2: TestFeed<Int>(limit: patience)]
    private(set) var stores: [Int: StreamValue<Int>] = [:]

    func store(_ room: Int) -> StreamValue<Int> {
      if let store = stores[room] { return store }
      let store = StreamValue { [feed = feed(room)] in feed.make() }
      stores[room] = store
      return store
    }

    func feed(_ room: Int) -> TestFeed<Int> { feeds[room] ?? TestFeed(limit: patience) }
  }

  private let rooms = Rooms()

  private nonisolated static func change(_ state: StreamState<Int>) -> Change<Fields> {
    let word = state.when(value: { "\($0)" }, error: { "\($0)" }, empty: { "empty" })
    return Change { $0.log.append(word) }
  }

  private func context(_ venue: Venue, monitor: WordMonitor? = nil) -> Context<System> {
    Context(
      state: Fields(room: 1),
      system: System {
        Feedback.stream(\.room, name: "room", store: { [rooms] room in rooms.store(room) }) {
          Change { $0.ends += 1 }
        } event: { state in
          Self.change(state)
        }
      }, executor: venue.executor(), monitor: monitor)
  }

  @Test(arguments: Venue.allCases)
  func eachChangeOfAStoreBecomesAnEventAndItsEndOneMore(venue: Venue) async {
    let context = context(venue)
    let running = context.start()
    let source = await rooms.feed(1).run(0)
    await context.reaches { $0.log == ["empty"] }
    await source.send(1)
    await context.reaches { $0.log == ["empty", "1"] }
    rooms.store(1).patch { $0 + 10 }
    await context.reaches { $0.log == ["empty", "1", "11"] }
    source.finish()
    await context.reaches { $0.ends == 1 }
    #expect(await context.state.log == ["empty", "1", "11"])
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func aFeedbackFollowsARefreshAlsoAfterAnErrorOrTheEnd(venue: Venue) async {
    let context = context(venue)
    let running = context.start()
    let feed = rooms.feed(1)
    await feed.run(0).fail(with: Failure(code: 1))
    await context.reaches { $0.log.last == "Failure(code: 1)" }
    rooms.store(1).refresh()
    await feed.run(1).finish()
    await context.reaches { $0.ends == 1 }
    rooms.store(1).refresh(keepingValue: true)
    await feed.run(2).send(3)
    await context.reaches { $0.log.last == "3" }
    // And while it runs.
    rooms.store(1).refresh()
    await feed.run(3).send(4)
    await context.reaches { $0.log.last == "4" }
    #expect(feed.runs.map(\.ending) == [.failed, .finished, .cancelled, nil])
    #expect(await context.state.ends == 1)
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func anotherKeySwitchesTheStoreAndNilStopsIt(venue: Venue) async {
    let context = context(venue)
    let running = context.start()
    let first = await rooms.feed(1).run(0)
    context.send(.set(\.room, 2))
    #expect(await first.ended() == .cancelled)
    let second = await rooms.feed(2).run(0)
    await second.send(5)
    await context.reaches { $0.log.last == "5" }
    context.send(.set(\.room, nil))
    #expect(await second.ended() == .cancelled)
    rooms.store(2).patch { $0 + 1 }
    await context.quiet()
    #expect(await context.state.log.last == "5")
    // Back again it shows what stands there.
    context.send(.set(\.room, 2))
    await context.reaches { $0.log.last == "6" }
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func aFeedbackSharesTheSequenceWithTheOtherRunsOfItsStore(venue: Venue) async {
    let task = await run(rooms.store(1))
    let source = await rooms.feed(1).run(0)
    let context = context(venue)
    let running = context.start()
    await context.reaches { $0.log == ["empty"] }
    await source.send(1)
    await context.reaches { $0.log.last == "1" }
    #expect(rooms.feed(1).runs.count == 1)
    running.stop()
    await running.ended()
    #expect(source.ending == nil)
    task.cancel()
    #expect(source.ending == .cancelled)
    await task.value
  }

  @Test(
    "Law 9: a store stops with the loop, and is held by the run only", arguments: Venue.allCases)
  func law9(venue: Venue) async {
    let (made, gone) = (Handover<WeakReference<StreamValue<Int>>>(), Gate())
    let feed = TestFeed<Int>(limit: patience)
    var context: Context<System>? = Context(
      state: Fields(room: 1),
      system: System {
        Feedback.stream(\.room) { _ in
          let store = MortalStore(gone: gone) { feed.make() }
          made.value = WeakReference(store)
          return store
        } event: { state in
          Self.change(state)
        }
      }, executor: venue.executor())
    let reference = context.map(WeakReference.init)
    var running = context?.start()
    let source = await feed.run(0)
    #expect(made.value?.object != nil)
    running = nil
    context = nil
    _ = running
    #expect(await source.ended() == .cancelled)
    await gone.pass()
    #expect(made.value?.object == nil)
    #expect(reference?.object == nil)
  }

  @Test(
    "Law 10: the next start runs the store again and shows what stands", arguments: Venue.allCases)
  func law10(venue: Venue) async {
    let context = context(venue)
    let first = context.start()
    await rooms.feed(1).run(0).send(1)
    await context.reaches { $0.log.last == "1" }
    first.stop()
    await first.ended()
    #expect(await rooms.feed(1).runs[0].ended() == .cancelled)
    let second = context.start()
    let source = await rooms.feed(1).run(1)
    await source.send(2)
    await context.reaches { $0.log.last == "2" }
    second.stop()
    await second.ended()
  }

  @Test("Law 6: a state that waits when the key leaves is not reduced")
  func law6() async {
    let context = context(.main)
    let running = context.start()
    let store = rooms.store(1)
    await rooms.feed(1).run(0).send(1)
    await context.reaches { $0.log.last == "1" }
    // The store shows 2 before the key leaves, and the loop gets to it afterwards.
    store.patch { $0 + 1 }
    context.send(.set(\.room, nil))
    await context.quiet()
    #expect(context.log.last == "1")
    running.stop()
    await running.ended()
  }

  @Test("Law 17: a loop that is held up gets the newest state only")
  func law17() async {
    let executor = DeterministicExecutor()
    let context = Context(
      state: Fields(room: 1),
      system: System {
        Feedback.stream { [rooms] in
          rooms.store(1)
        } event: { state in
          Self.change(state)
        }
      }, executor: .serial(executor))
    let running = context.start()
    await executor.settle()
    let source = await rooms.feed(1).run(0)
    for number in 1...200 { await source.send(number) }
    await executor.settle()
    let state = Task(executorPreference: executor) { await context.state }
    await executor.settle()
    #expect(await state.value.log == ["empty", "200"])
    running.stop()
    await executor.settle()
  }

  @Test func aPaceHoldsStatesUpButNoEndAndLosesNone() async {
    let stage = Rehearsal(Fields()) { [rooms] clock in
      Feedback<ClosureSystem<Fields, Change<Fields>>>.stream {
        rooms.store(1)
      } end: {
        Change { $0.log.append("end") }
      } event: { state in
        Self.change(state)
      }
      .debounced(for: .seconds(1), clock: clock)
    }
    let loop = stage.run()
    await stage.executor.settle()
    let source = await rooms.feed(1).run(0)
    await source.send(1)
    await stage.executor.settle()
    #expect(stage.state.log == [])
    source.finish()
    await source.ended()
    await stage.executor.settle()
    #expect(stage.state.log == ["1", "end"])
    rooms.store(1).refresh()
    await stage.executor.settle()
    stage.advance(by: 1)
    #expect(stage.state.log == ["1", "end", "empty"])
    stage.stop(loop)
    await stage.executor.settle()
  }

  @Test func anEndComesBeforeWhatTheNextSequenceShows() async {
    let feed = TestFeed<Int>(limit: patience)
    let store = StreamValue { feed.make() }
    let changes = StoreChanges { store }
    var iterator = changes.makeAsyncIterator()
    var seen: [String] = []
    func look() async {
      switch await iterator.next() {
      case .state(let state): seen.append(state.data.map { "\($0)" } ?? "empty")
      case .ended: seen.append("ended")
      case nil: seen.append("nil")
      }
    }
    await look()
    let first = await run(store)
    feed.latest.yield(1)
    feed.latest.finish()
    await first.value
    await look()
    await look()
    #expect(seen == ["empty", "1", "ended"])
    let second = await run(store)
    feed.latest.finish()
    await second.value
    store.refresh()
    let third = await run(store)
    await feed.run(2).send(2)
    await look()
    await look()
    #expect(seen == ["empty", "1", "ended", "ended", "2"])
    third.cancel()
  }
}
