import AsyncFeedback
import AsyncFeedbackTestSupport
import Observation
import Testing

@Suite("StreamValue: what it shows", .timeLimit(.minutes(10)))
@MainActor struct StreamValueTests {
  private let feed = TestFeed<Int>(limit: patience)

  @Test func aRunShowsEachElementAndTheLastOneStaysAtTheEnd() async {
    let store = StreamValue { feed.make() }
    #expect(store.state.isEmpty)
    let task = await run(store)
    let source = await feed.run(0)
    await source.send(1)
    #expect(store.state.data == 1)
    await source.send(2)
    #expect(store.state.data == 2)
    source.finish()
    await task.value
    #expect(store.state.data == 2)
    #expect(source.ending == .finished)
  }

  @Test func anErrorOfTheSequenceBecomesTheState() async {
    let store = StreamValue { feed.make() }
    let task = await run(store)
    await feed.run(0).fail(with: Failure(code: 7))
    await task.value
    #expect(store.state.failure as? Failure == Failure(code: 7))
  }

  @Test func aCancellationErrorThatNobodyAskedForIsAnErrorLikeAnyOther() async {
    let store = StreamValue { feed.make() }
    let task = await run(store)
    await feed.run(0).fail(with: CancellationError())
    await task.value
    #expect(store.state.failure is CancellationError)
  }

  @Test func whatACancelledRunThrowsIsSilent() async {
    let (waiting, gone, never) = (Gate(), Gate(), Gate())
    let store = StreamValue<Int> {
      let source = AsyncThrowingStream<Int, any Error> {
        waiting.open()
        await never.pass()
        throw Failure()
      }
      return Mortal(source, gone: gone)
    }
    let task = await run(store)
    await waiting.pass()
    task.cancel()
    await task.value
    await gone.pass()
    #expect(store.state.isEmpty)
  }

  @Test func anotherRunStartsFromTheLastValueAndFromEmptyAfterAnError() async {
    let store = StreamValue { feed.make() }
    let first = await run(store)
    await feed.run(0).send(5)
    first.cancel()
    await first.value
    let second = await run(store)
    #expect(store.state.data == 5)
    await feed.run(1).fail(with: Failure())
    await second.value
    #expect(store.state.failure is Failure)
    let third = await run(store)
    #expect(store.state.isEmpty)
    await feed.run(2).send(7)
    #expect(store.state.data == 7)
    third.cancel()
    await third.value
    #expect(feed.runs.map(\.ending) == [.cancelled, .failed, .cancelled])
  }

  @Test func whoeverTracksTheStateIsToldOfEachElementAndCanReadIt() async {
    let store = StreamValue { feed.make() }
    let observer = FieldObserver { store.state.data }
    let task = await run(store)
    let source = await feed.run(0)
    await source.send(1)
    await source.send(1)
    store.patch { $0 + 1 }
    store.refresh()
    #expect(observer.values == [nil, 1, 1, 2, nil])
    await task.value
  }

  @Test func whoeverTracksThePropertiesOfASubclassIsToldOfTheirChanges() async {
    let store = Thermostat()
    let observer = FieldObserver { store.target }
    store.target = 21
    // What the macro makes tells before the change.
    #expect(observer.values == [20, 20])
  }

  @Test func aSequenceThatNeverSuspendsLetsOthersIn() async {
    let (produced, gone) = (Tally(), Gate())
    let store = StreamValue<Int> {
      let source = AsyncStream<Int> {
        produced.increment()
        return produced.count
      }
      return Mortal(source, gone: gone)
    }
    let task = await run(store)
    await produced.reaches(300)
    #expect(store.state.data != nil)
    task.cancel()
    await task.value
    let last = store.state.data
    await gone.pass()
    #expect(store.state.data == last)
  }

  @Test func aStoreWithNeitherFactoryNorOverrideEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      await StreamValue<Int>().run()
    }
  }
}

@Observable private final class Thermostat: StreamValue<Int> {
  var target = 20
}

@Suite("StreamValue: patches", .timeLimit(.minutes(10)))
@MainActor struct StreamValuePatchTests {
  private let feed = TestFeed<Int>(limit: patience)

  @Test func aPatchLastsUntilTheNextElement() async {
    let store = StreamValue { feed.make() }
    store.patch { $0 + 1 }
    #expect(store.state.isEmpty)
    let task = await run(store)
    let source = await feed.run(0)
    await source.send(1)
    store.patch { $0 + 1 }
    #expect(store.state.data == 2)
    await source.send(10)
    #expect(store.state.data == 10)
    task.cancel()
    await task.value
  }

  @Test func whatAPatchThrowsBecomesTheStateUntilTheNextElement() async {
    let store = StreamValue { feed.make() }
    let task = await run(store)
    let source = await feed.run(0)
    await source.send(1)
    store.patch { _ in throw Failure(code: 3) }
    #expect(store.state.failure as? Failure == Failure(code: 3))
    store.patch { $0 + 1 }
    #expect(store.state.failure is Failure)
    await source.send(2)
    #expect(store.state.data == 2)
    task.cancel()
    await task.value
  }
}

@Suite("StreamState") struct StreamStateTests {
  private let states: [StreamState<Int>] = [.empty, .value(3), .error(Failure(code: 5))]

  @Test func itFoldsIntoOneResult() {
    #expect(states.map(\.data) == [nil, 3, nil])
    let words = states.map { state in
      state.when(value: { "value \($0)" }, error: { "error \($0)" }, empty: { "empty" })
    }
    #expect(words == ["empty", "value 3", "error Failure(code: 5)"])
  }

  @Test func whatIsNotNamedTakesTheRest() {
    let all = states.map { state in
      state.maybeWhen(
        value: { "\($0)" }, error: { _ in "error" }, empty: { "empty" }, orElse: { "else" })
    }
    #expect(all == ["empty", "3", "error"])
    let none = states.map { $0.maybeWhen(value: nil, error: nil, empty: nil) { "else" } }
    #expect(none == ["else", "else", "else"])
    #expect(states.map { $0.maybeWhen(value: { $0 }) { 0 } } == [0, 3, 0])
  }

  @Test func aConversionThatThrowsBecomesTheError() {
    let converted = states.map { $0.whenValue { "\($0)" } }
    #expect(converted.map(\.data) == [nil, "3", nil])
    #expect(converted[2].failure as? Failure == Failure(code: 5))
    let thrown: StreamState<String> = states[1].whenValue { _ in throw Failure(code: 9) }
    #expect(thrown.failure as? Failure == Failure(code: 9))
  }
}
