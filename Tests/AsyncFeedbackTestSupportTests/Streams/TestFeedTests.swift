import AsyncFeedback
import Testing

@testable import AsyncFeedbackTestSupport

@Suite("TestFeed", .timeLimit(.minutes(10))) struct TestFeedTests {
  private let failures = Failures()

  private func feed(bound: Int = 64, limit: Duration = .seconds(5)) -> TestFeed<Int> {
    TestFeed(bound: bound, board: TestFeedBoard(failures.reporter, limit: limit))
  }

  /// Consumes a sequence to its end.
  private func consume<Elements: AsyncSequence<Int, any Error> & Sendable>(
    _ elements: Elements, _ seen: Log<Int> = Log()
  ) -> Task<Void, any Error> {
    Task { for try await element in elements { seen.append(element) } }
  }

  @Test func aRunDeliversWhatIsSaidAndThenItsEnd() async throws {
    let (feed, seen) = (feed(), Log<Int>())
    let task = consume(feed.make(), seen)
    let run = await feed.run(0)
    await run.send(1)
    #expect(seen.entries == [1])
    #expect(run.yield(2))
    run.finish()
    try await task.value
    #expect(seen.entries == [1, 2])
    #expect(await run.ended() == .finished)
    #expect(failures.messages == [])
  }

  @Test func anErrorComesBehindTheElementsThatWait() async {
    struct Odd: Error {}
    let (feed, seen) = (feed(), Log<Int>())
    let task = consume(feed.make(), seen)
    let run = await feed.run(0)
    run.yield(1)
    run.fail(with: Odd())
    await #expect(throws: Odd.self) { try await task.value }
    #expect(seen.entries == [1])
    #expect(run.ending == .failed)
  }

  @Test func eachRunHasWordsOfItsOwn() async throws {
    let (feed, seen) = (feed(), Log<Int>())
    let first = consume(feed.make(), seen)
    await feed.run(0).send(1)
    let second = consume(feed.make(), seen)
    await feed.run(1).send(2)
    #expect(feed.latest === feed.runs[1])
    for run in feed.runs { run.finish() }
    try await first.value
    try await second.value
    #expect(seen.entries == [1, 2])
  }

  @Test func aCancelledConsumerEndsItsRun() async throws {
    let feed = feed()
    let task = consume(feed.make())
    let run = await feed.run(0)
    #expect(run.ending == nil)
    task.cancel()
    #expect(run.ending == .cancelled)
    #expect(!run.yield(1))
    await run.send(2)
    try await task.value
    #expect(failures.messages == [])
  }

  @Test func aConsumerThatLetsTheSequenceGoEndsItsRun() async throws {
    let feed = feed()
    let task = Task { [elements = feed.make()] in
      for try await _ in elements { return }
    }
    await feed.run(0).send(1)
    try await task.value
    #expect(await feed.latest.ended() == .cancelled)
    _ = feed.make()
    #expect(feed.latest.ending == .cancelled)
    #expect(!feed.latest.hasBegun)
  }

  @Test func anObjectEndsItsRunWhenItGoes() async throws {
    let (feed, seen) = (feed(), Log<Int>())
    let kept = feed.makeEndingInDeinit()
    let task = consume(kept, seen)
    await feed.run(0).send(1)
    feed.latest.finish()
    try await task.value
    #expect(seen.entries == [1])
    // A consumer that keeps only the iterator gets nothing.
    var iterator = feed.makeEndingInDeinit().makeAsyncIterator()
    #expect(!feed.latest.yield(2))
    #expect(try await iterator.next() == nil)
    #expect(failures.messages == [])
  }

  @Test func moreThanTheBoundAllowsFailsTheTest() {
    let feed = feed(bound: 2)
    let elements = feed.make()
    let line: UInt = #line + 1
    for number in 1...3 { feed.latest.yield(number) }
    #expect(
      failures.messages == [
        "2 elements wait to be consumed, which is the bound of the feed (was 3)."
      ])
    #expect(failures.lines == [line])
    withExtendedLifetime(elements) {}
  }

  @Test func wordsAfterTheEndFailTheTest() {
    let feed = feed()
    let elements = feed.make()
    feed.latest.finish()
    feed.latest.yield(1)
    feed.latest.finish()
    #expect(
      failures.messages == [
        "The run has been told its end, so no element can follow (was 1).",
        "The run has been told its end already.",
      ])
    #expect(failures.lines == [#line - 7, #line - 6])
    withExtendedLifetime(elements) {}
  }

  @Test func aWaitThatTakesTooLongFailsTheTest() async {
    let feed = feed(limit: .milliseconds(20))
    let elements = feed.make()
    let run = await feed.run(0)
    #expect(run !== feed.runs[0])
    await feed.latest.send(1)
    #expect(await feed.latest.ended() == nil)
    #expect(
      failures.messages == [
        """
        Run 0 of the feed has not begun within 0.02 seconds: 1 sequences were made, and 0 of them asked \
        for an element.
        Does anything run what was given the sequence?
        """,
        """
        Nobody has done with 1 within 0.02 seconds: the sequence has not been asked for an element at all.
        Is its consumer run by something that waits for this test?
        """,
        "The run of the feed has not ended within 0.02 seconds.",
      ])
    withExtendedLifetime(elements) {}
  }

  @Test func aWaitOfACancelledTestReturns() async {
    let feed = feed()
    let task = Task {
      _ = await feed.run(0)
    }
    task.cancel()
    await task.value
    #expect(failures.messages == [])
  }

  @Test func theLatestOfNoRunsEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      _ = TestFeed<Int>().latest
    }
  }

  @Test func aSecondConsumerEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let feed = TestFeed<Int>()
      let elements = feed.make()
      async let first: Void = { for try await _ in elements {} }()
      async let second: Void = { for try await _ in elements {} }()
      _ = try await (first, second)
    }
  }
}
