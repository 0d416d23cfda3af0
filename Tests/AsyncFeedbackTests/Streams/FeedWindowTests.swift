import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Feed: windows of time") struct FeedWindowTests {
  private let stage = FeedStage()
  private let producer = Producer<Int, any Error>()

  private func sums(limit: Int = .max) -> Feed<[Int], any Error> {
    Feed(
      .coalesced(over: .seconds(3), limit: limit, clock: stage.clock, into: []) { $0.append($1) },
      start: producer.start)
  }

  @Test func aWindowOpensWithTheFirstElementAndDeliversAtItsEnd() {
    let follower = stage.follow(sums())
    stage.advance(by: 1)
    producer.input.send(1)
    stage.settle()
    stage.advance(by: 2)
    producer.input.send(2)
    #expect(follower.entries == [])
    stage.advance(by: 1)
    #expect(follower.timed == ["[1, 2]@4"])
    stage.advance(by: 10)
    producer.input.send(3)
    stage.settle()
    stage.advance(by: 3)
    #expect(follower.timed == ["[1, 2]@4", "[3]@17"])
    follower.cancel()
    #expect(producer.log.entries == ["start", "stop"])
  }

  @Test func theLastBatchComesWithTheEndAndBeforeTheError() {
    let follower = stage.follow(sums())
    producer.input.send(1)
    stage.settle()
    stage.advance(by: 1)
    producer.input.finish(throwing: Failure())
    #expect(follower.timed == ["[1]@1", "Failure(code: 0)@1"])
    let second = stage.follow(sums())
    producer.input.send(2)
    producer.input.finish()
    #expect(second.timed == ["[2]@1", "end@1"])
  }

  @Test func aFullBatchComesAtOnce() {
    let follower = stage.follow(sums(limit: 2))
    producer.input.send(1)
    producer.input.send(2)
    #expect(follower.timed == ["[1, 2]@0"])
    follower.cancel()
  }

  @Test func whatComesToAFullBatchIsAGapBehindIt() {
    let feed = sums(limit: 2)
    let steps = stage.follow(feed.withGaps)
    let input = producer.input
    for number in 1...5 { input.send(number) }
    #expect(steps.entries == ["element([1, 2])", "gap(3)"])
    let counts = feed.counters.counts
    #expect(counts.dropped == 3 && counts.coalesced == 1 && counts.delivered == 1)
    steps.cancel()
  }

  @Test func aPolicyIsDeliveredByTheBatch() {
    let producer = Producer<Int, Never>()
    let feed = Feed<[Int], Never>(
      .batches(of: .latest(by: { $0 % 10 }, limit: 5), over: .seconds(1), clock: stage.clock),
      start: producer.start)
    let follower = stage.follow(feed)
    for number in [1, 2, 11, 3, 21] { producer.input.send(number) }
    stage.settle()
    stage.advance(by: 1)
    #expect(follower.timed == ["[21, 2, 3]@1"])
    #expect(feed.counters.counts.delivered == 3)
    producer.input.send(4)
    producer.input.finish()
    #expect(follower.timed.suffix(2) == ["[4]@1", "end@1"])
  }

  @Test func aConsumerThatIsLateGetsTheBatchAtOnce() {
    let feed = sums()
    let log = Journal<String>()
    let clock = stage.clock
    let task = stage.perform {
      var iterator = feed.makeAsyncIterator()
      while let batch = try? await iterator.next() {
        log.note("\(batch)@\(clock.now.offset.components.seconds)")
        try? await clock.sleep(for: .seconds(10))
      }
    }
    producer.input.send(1)
    stage.settle()
    stage.advance(by: 3)
    producer.input.send(2)
    stage.advance(by: 5)
    producer.input.send(3)
    stage.advance(by: 5)
    #expect(log.entries == ["[1]@3", "[2, 3]@13"])
    task.cancel()
    stage.settle()
    #expect(producer.log.entries == ["start", "stop"])
  }

  @Test func aClockThatIsGoneDoesNotKeepABatch() {
    let feed: Feed<[Int], any Error> = {
      let clock = TestClock()
      return Feed(
        .coalesced(over: .seconds(3), limit: 9, clock: DyingClock(base: clock), into: []) {
          $0.append($1)
        }, start: producer.start)
    }()
    let follower = stage.follow(feed)
    producer.input.send(1)
    #expect(follower.entries == ["[1]"])
    follower.cancel()
  }

  /// A clock that wakes nobody.
  private struct DyingClock: Clock {
    let base: TestClock
    var now: TestClock.Instant { base.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
      throw Failure()
    }
  }
}
