import AsyncFeedback
import AsyncFeedbackTestSupport
import Observation
import Testing

// The patterns that Documentation/Stores.md shows.

/// A named store: what it shows.
@Observable private final class Showcase: StreamValue<Showcase.State> {}

extension Showcase {
  fileprivate struct State: Sendable, Equatable {
    var studio: String
    var plans: [String] = []
  }

  /// Where it comes from.
  fileprivate convenience init(studio: String, plans: TestFeed<[String]>) {
    self.init {
      plans.make().map { State(studio: studio, plans: $0) }
    }
  }
}

/// A store whose sequence depends on a property.
@Observable private final class Scheduler: StreamValue<[String]> {
  private let feed: TestFeed<[String]>
  private(set) var asked: [Int] = []
  var day: Int {
    didSet { if day != oldValue { refresh() } }
  }

  init(day: Int, feed: TestFeed<[String]>) {
    self.day = day
    self.feed = feed
    super.init()
  }

  override func makeStream() -> S {
    asked.append(day)
    return feed.make()
  }
}

/// A store with the state of a flow beside what its sequence says.
@Observable private final class Purchasing: StreamValue<[String]> {
  enum Status { case idle, purchasing, purchased }

  private(set) var status = Status.idle

  func purchase(_ buy: SideEffect<Void, Void>) async {
    guard status == .idle else { return }
    status = .purchasing
    do {
      try await buy.run()
      status = .purchased
    } catch {
      status = .idle
    }
  }
}

@Suite("Patterns of stores", .timeLimit(.minutes(10)))
@MainActor struct StorePatternTests {
  private let feed = TestFeed<[String]>(limit: patience)

  @Test func aNamedStoreHasItsPlumbingInAnExtension() async {
    let showcase = Showcase(studio: "a", plans: feed)
    let task = await run(showcase)
    await feed.run(0).send(["x"])
    #expect(showcase.state.data == Showcase.State(studio: "a", plans: ["x"]))
    task.cancel()
    await task.value
  }

  @Test func aStoreWithParametersStartsAnewWithThoseThatStand() async {
    let scheduler = Scheduler(day: 1, feed: feed)
    let first = await run(scheduler)
    await feed.run(0).send(["monday"])
    let id = scheduler.runID
    scheduler.day = 1
    #expect(scheduler.runID == id)
    scheduler.day = 2
    scheduler.day = 3
    #expect(scheduler.state.data == nil)
    await first.value
    let second = await run(scheduler)
    await feed.run(1).send(["wednesday"])
    #expect(scheduler.asked == [1, 3])
    #expect(scheduler.state.data == ["wednesday"])
    second.cancel()
    await second.value
  }

  @Test func anElementDoesNotTouchTheStateOfAFlowBesideIt() async {
    let store = Purchasing { [feed] in feed.make() }
    let (asked, paid) = (Gate(), Gate())
    let buy = SideEffect<Void, Void> {
      asked.open()
      await paid.pass()
    }
    let task = await run(store)
    let purchase = Task { await store.purchase(buy) }
    await asked.pass()
    await feed.run(0).send(["membership"])
    #expect(store.status == .purchasing)
    paid.open()
    await purchase.value
    #expect(store.status == .purchased)
    #expect(store.state.data == ["membership"])
    task.cancel()
    await task.value
  }

  @Test func anOptimisticEditIsSeenAtOnceAndConfirmedByItsEcho() async {
    let store = StreamValue { [feed] in feed.make() }
    let observer = FieldObserver { store.state.data ?? [] }
    let task = await run(store)
    let source = await feed.run(0)
    await source.send(["a"])
    store.patch { $0 + ["b"] }
    // The durable write comes back.
    await source.send(["a", "b"])
    // An edit without one is gone with the next element.
    store.patch { $0 + ["c"] }
    await source.send(["a", "b", "d"])
    #expect(
      observer.values == [
        [], ["a"], ["a", "b"], ["a", "b"], ["a", "b", "c"], ["a", "b", "d"],
      ])
    task.cancel()
    await task.value
  }

  @Test func aSharedStoreHasOneSequenceForAllItsScreens() async {
    let store = StreamValue { [feed] in feed.make() }
    let screens = [await run(store), await run(store)]
    let source = await feed.run(0)
    screens[0].cancel()
    await screens[0].value
    await source.send(["a"])
    let again = await run(store)
    screens[1].cancel()
    await screens[1].value
    await source.send(["b"])
    #expect(store.state.data == ["b"])
    #expect(feed.runs.count == 1)
    again.cancel()
    await again.value
  }
}
