import AsyncFeedbackTestSupport
import Observation
import Testing

@testable import AsyncFeedback

@Suite("Cases of stores", .timeLimit(.minutes(10)))
@MainActor struct StoreCasesTests {
  struct Fields: Sendable, Equatable {
    var count = 0
  }

  private let feed = TestFeed<Int>(limit: patience)

  @Test("E18: a store runs again over an observable, which then goes")
  func e18() async {
    var context: Context<ChangeSystem<Fields>>? = Context(
      state: Fields(), system: ChangeSystem {})
    let running = context?.start()
    let shown = Tally()
    let store = StreamValue { [values = context?.values(of: \.count)] in
      values ?? ContextValues { _ in {} }
    }
    let observer = FieldObserver {
      store.state.data
    } react: { count in
      if count != nil { shown.increment() }
    }
    let first = await run(store)
    await shown.reaches(1)
    context?.send(.set(\.count, 1))
    await shown.reaches(2)
    first.cancel()
    await first.value
    // A change between two runs is the next one's first value, once.
    await context?.send(.set(\.count, 2)).value
    let second = await run(store)
    await shown.reaches(3)
    await context?.send(.set(\.count, 3)).value
    await shown.reaches(4)
    running?.stop()
    await running?.ended()
    context = nil
    await second.value
    #expect(observer.values.compactMap { $0 } == [0, 1, 2, 3])
  }

  @Test("E19: a source that ends with its object delivers through a factory")
  func e19Factory() async {
    let store = StreamValue { feed.makeEndingInDeinit() }
    await deliver(store)
  }

  @Test(
    "E19: a source that ends with its object delivers through an override, and behind operators")
  func e19Override() async {
    final class Doubled: StreamValue<Int> {
      let feed: TestFeed<Int>
      init(_ feed: TestFeed<Int>) {
        self.feed = feed
        super.init()
      }
      override func makeStream() -> S { feed.makeEndingInDeinit().map { $0 }.map { $0 } }
    }
    await deliver(Doubled(feed))
  }

  @Test("E19: a source that ends with its object delivers with its failure erased")
  func e19Erased() async {
    let store = StreamValue<Int> { self.feed.makeEndingInDeinit().erasingFailure() }
    await deliver(store)
  }

  private func deliver(_ store: StreamValue<Int>) async {
    let task = await run(store)
    let source = await feed.run(0)
    await source.send(1)
    await source.send(2)
    #expect(store.state.data == 2)
    #expect(source.ending == nil)
    task.cancel()
    await task.value
    #expect(source.ending == .cancelled)
  }

  @Test(
    "E19: a source that ends with its object delivers to each kind of feedback",
    arguments: [0, 1, 2])
  func e19Feedback(kind: Int) async {
    let feed = feed
    typealias System = ChangeSystem<Fields>
    let context = Context(
      state: Fields(count: -1),
      system: System {
        switch kind {
        case 0:
          Feedback.stream {
            feed.makeEndingInDeinit()
          } event: { number in
            .set(\.count, number)
          }
        case 1:
          Feedback.stream({ $0.count < 2 ? true : nil }) { _ in
            feed.makeEndingInDeinit()
          } event: { number in
            .set(\.count, number)
          }
        default:
          Feedback.stream {
            StreamValue { feed.makeEndingInDeinit() }
          } event: { state in
            state.data.map { .set(\.count, $0) }
          }
        }
      })
    let running = context.start()
    let source = await feed.run(0)
    source.yield(0)
    source.yield(1)
    await context.reaches { $0.count == 1 }
    running.stop()
    await running.ended()
    #expect(await source.ended() == .cancelled)
  }

  @Test("G6: a store that goes while its endless source runs cancels it")
  func g6() async {
    var store: StreamValue<Int>? = StreamValue { feed.make() }
    let reference = store.map(WeakReference.init)
    // What a run holds, without the call that holds the store.
    let share = store?.takeShare()
    let source = await feed.run(0)
    await source.send(1)
    #expect(store?.state.data == 1)
    store = nil
    #expect(reference?.object == nil)
    #expect(source.ending == .cancelled)
    // Whoever waits at it goes on.
    await share?.hold()
  }

  @Test("G6: a task that holds its store weakly lets it go when it is cancelled")
  func g6Weakly() async {
    var store: StreamValue<Int>? = StreamValue { feed.make() }
    let reference = store.map(WeakReference.init)
    let task = Task { [weak store] in await store?.run() }
    let source = await feed.run(0)
    store = nil
    task.cancel()
    await task.value
    #expect(reference?.object == nil)
    #expect(source.ending == .cancelled)
  }

  @Test("O6: a refresh in the midst of a delivery leaves nothing of the old sequence")
  func o6RefreshDuringDelivery() async {
    let store = StreamValue { feed.make() }
    let stale = await run(store)
    let source = await feed.run(0)
    withObservationTracking {
      _ = store.state
    } onChange: {
      // It is on the main actor that a store tells.
      MainActor.assumeIsolated { store.refresh() }
    }
    source.yield(1)
    source.yield(2)
    await stale.value
    #expect(store.state.isEmpty)
    let fresh = await run(store)
    let observer = FieldObserver { store.state.data }
    await feed.run(1).send(3)
    #expect(observer.values == [nil, 3])
    fresh.cancel()
    await fresh.value
  }

  @Test(
    "O6: neither an element nor an error of a replaced sequence is shown", arguments: [false, true])
  func o6Replaced(isError: Bool) async {
    let (waiting, gate, gone) = (Gate(), Gate(), Gate())
    let store = StreamValue<Int> {
      // It delivers although it is cancelled.
      let source = AsyncThrowingStream<Int, any Error> {
        waiting.open()
        await gate.passUncancelled()
        if isError { throw Failure() }
        return 1
      }
      return Mortal(source, gone: gone)
    }
    let stale = await run(store)
    await waiting.pass()
    store.refresh()
    await stale.value
    gate.open()
    await gone.pass()
    #expect(store.state.isEmpty)
  }

  @Test("O6: nothing that is ready is shown after the last run is cancelled")
  func o6Cancelled() async {
    let store = StreamValue { feed.make() }
    let task = await run(store)
    let source = await feed.run(0)
    await source.send(1)
    source.yield(2)
    task.cancel()
    await task.value
    await source.ended()
    #expect(store.state.data == 1)
  }
}
