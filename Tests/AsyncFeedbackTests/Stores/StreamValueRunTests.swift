import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("StreamValue: refreshes", .timeLimit(.minutes(10)))
@MainActor struct StreamValueRefreshTests {
  private let feed = TestFeed<Int>(limit: patience)

  @Test func aRefreshEmptiesTheStoreAndChangesTheRunID() async {
    let store = StreamValue { feed.make() }
    let task = await run(store)
    await feed.run(0).send(1)
    let before = store.runID
    #expect(store.runID == before)
    store.refresh()
    #expect(store.runID != before)
    #expect(store.state.isEmpty)
    let other = StreamValue { feed.make() }
    #expect(other.runID != before)
    await task.value
  }

  @Test func aStoreHasNoRunIDOfOneThatHasGone() {
    // Most of them stand where the one before them stood.
    let ids = (0..<100).map { _ in StreamValue<Int>().runID }
    #expect(Set(ids).count == 100)
  }

  @Test func aRunEndsAtOnceWhenItsGenerationDoes() async {
    let store = StreamValue { feed.make() }
    let stale = await run(store)
    let source = await feed.run(0)
    await source.send(1)
    store.refresh()
    #expect(source.ending == .cancelled)
    // No element comes that would wake it.
    await stale.value
    let fresh = await run(store)
    await feed.run(1).send(2)
    source.yield(99)
    #expect(store.state.data == 2)
    fresh.cancel()
    await fresh.value
  }

  @Test func aRefreshThatKeepsTheValueShowsItUntilTheNextElement() async {
    let store = StreamValue { feed.make() }
    let stale = await run(store)
    await feed.run(0).send(1)
    let before = store.runID
    store.refresh(keepingValue: true)
    await stale.value
    #expect(store.runID != before)
    #expect(store.state.data == 1)
    let fresh = await run(store)
    #expect(store.state.data == 1)
    await feed.run(1).send(2)
    #expect(store.state.data == 2)
    fresh.cancel()
    await fresh.value
  }

  @Test func aRefreshKeepsNoError() async {
    let store = StreamValue { feed.make() }
    let task = await run(store)
    await feed.run(0).fail(with: Failure())
    await task.value
    store.refresh(keepingValue: true)
    #expect(store.state.isEmpty)
    store.refresh(keepingValue: false)
    #expect(store.state.isEmpty)
  }

  @Test func theRunIDIsTracked() async {
    let store = StreamValue { feed.make() }
    let observer = FieldObserver { store.runID }
    store.refresh()
    store.refresh(keepingValue: true)
    #expect(Set(observer.values).count == 3)
  }

  @Test func aStoreThatNobodyRunsIsRefreshedForTheNextRun() async {
    let store = StreamValue { feed.make() }
    store.refresh()
    store.refresh()
    #expect(feed.runs.isEmpty)
    let task = await run(store)
    await feed.run(0).send(1)
    #expect(store.state.data == 1)
    task.cancel()
    await task.value
  }
}

@Suite("StreamValue: shared runs", .timeLimit(.minutes(10)))
@MainActor struct StreamValueSharingTests {
  private enum Locals {
    @TaskLocal static var name = "none"
  }

  private let feed = TestFeed<Int>(limit: patience)

  @Test func runsAtOneTimeShareOneSequenceUntilTheLastGoes() async {
    let store = StreamValue { feed.make() }
    let first = await run(store)
    let source = await feed.run(0)
    let second = await run(store)
    await source.send(1)
    first.cancel()
    await first.value
    #expect(source.ending == nil)
    await source.send(2)
    #expect(store.state.data == 2)
    #expect(feed.runs.count == 1)
    second.cancel()
    #expect(source.ending == .cancelled)
    await second.value
  }

  @Test func runsAtOneTimeReturnTogetherAtTheEnd() async {
    let store = StreamValue { feed.make() }
    let first = await run(store)
    let second = await run(store)
    await feed.run(0).finish()
    await first.value
    await second.value
    #expect(feed.runs.count == 1)
  }

  @Test func aRefreshGivesAllRunsOneNewSequence() async {
    let store = StreamValue { feed.make() }
    let old = [await run(store), await run(store)]
    _ = await feed.run(0)
    store.refresh()
    let new = [await run(store), await run(store)]
    for task in old { await task.value }
    await feed.run(1).send(4)
    #expect(store.state.data == 4)
    #expect(feed.runs.map(\.ending) == [.cancelled, nil])
    for task in new {
      task.cancel()
      await task.value
    }
    #expect(feed.runs.map(\.ending) == [.cancelled, .cancelled])
  }

  @Test func aRunThatJoinsLeavesAPatchedErrorAlone() async {
    let store = StreamValue { feed.make() }
    let first = await run(store)
    await feed.run(0).send(1)
    store.patch { _ in throw Failure() }
    let second = await run(store)
    #expect(store.state.failure is Failure)
    for task in [first, second] {
      task.cancel()
      await task.value
    }
  }

  @Test func aCancelledRunDoesNotWaitForASequenceThatIgnoresIt() async {
    let (waiting, gate, gone) = (Gate(), Gate(), Gate())
    let store = StreamValue<Int> {
      let source = AsyncStream<Int> {
        waiting.open()
        await gate.passUncancelled()
        return 1
      }
      return Mortal(source, gone: gone)
    }
    let task = await run(store)
    await waiting.pass()
    task.cancel()
    await task.value
    gate.open()
    await gone.pass()
    #expect(store.state.isEmpty)
  }

  @Test func aTaskThatIsCancelledAlreadyRunsNothing() async {
    let store = StreamValue { feed.make() }
    let gate = Gate()
    let task = Task {
      await gate.passUncancelled()
      await store.run()
    }
    task.cancel()
    gate.open()
    await task.value
    #expect(feed.runs.isEmpty)
  }

  @Test func theSequenceSeesTheTaskLocalValuesAndThePriorityOfTheRunThatBeganIt() async {
    let seen = Journal<String>()
    let priority = Handover<TaskPriority>()
    let asked = Gate()
    let never = Gate()
    let store = StreamValue<Int> {
      seen.note(Locals.name)
      return AsyncStream<Int> {
        seen.note(Locals.name)
        priority.value = Task.basePriority
        asked.open()
        await never.pass()
        return nil
      }
    }
    let begins = Locals.$name.withValue("first") {
      Task(priority: .utility) { await store.run() }
    }
    await asked.pass()
    let joins = Locals.$name.withValue("second") { Task { await store.run() } }
    store.patch { $0 }
    #expect(seen.entries == ["first", "first"])
    #expect(priority.value == .utility)
    for task in [begins, joins] {
      task.cancel()
      await task.value
    }
  }

  @Test func aSequenceThatIsGivenUpBeforeItsConsumptionBeginsIsAskedNothing() async {
    /// Answers whoever asks, whether he is cancelled or not.
    struct Source: AsyncSequence, AsyncIteratorProtocol {
      let asked: Tally

      func makeAsyncIterator() -> Source { self }

      func next() async -> Int? {
        asked.increment()
        return nil
      }
    }
    let (asked, gone) = (Tally(), Gate())
    let store = StreamValue<Int> { Mortal(Source(asked: asked), gone: gone) }
    store.takeShare().giveUp()
    await gone.pass()
    #expect(asked.count == 0)
  }

  @Test func aPatchThatAsksForAnotherSequenceIsNotSeenUnderIt() async {
    let feed = TestFeed<Int>(limit: patience)
    let store = StreamValue { feed.make() }
    let first = await run(store)
    await feed.run(0).send(1)
    store.patch { value in
      store.refresh()
      return value + 1
    }
    #expect(store.state.isEmpty)
    await first.value
  }
}
