import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Pacing: sequences") struct SequencePacingTests {
  private let stage = FeedStage()

  /// Throws or ends when it is told to; its iterator is not `Sendable`.
  private struct Source: AsyncSequence, Sendable {
    let stream: AsyncThrowingStream<Int, any Error>
    let continuation: AsyncThrowingStream<Int, any Error>.Continuation

    init() {
      (stream, continuation) = AsyncThrowingStream.makeStream()
    }

    struct Iterator: AsyncIteratorProtocol {
      var base: AsyncThrowingStream<Int, any Error>.Iterator

      mutating func next(isolation actor: isolated (any Actor)?) async throws -> Int? {
        try await base.next(isolation: actor)
      }

      mutating func next() async throws -> Int? { try await next(isolation: nil) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
  }

  /// Gives values at their ticks by a task that sleeps from one to the next.
  private func give(_ ticks: [Int], endingAt end: Bool = false, to source: Source) {
    let clock = stage.clock
    stage.perform {
      for tick in ticks {
        try? await clock.sleep(until: .init(offset: .seconds(tick)))
        source.continuation.yield(tick)
      }
      if end { source.continuation.finish() }
    }
    stage.advance(by: 100)
  }

  @Test("E1: a throttled sequence does not sit on the last value")
  func e1() {
    let source = Source()
    let follower = stage.follow(source.throttled(for: .seconds(10), clock: stage.clock))
    give([0, 1, 2], to: source)
    #expect(follower.timed == ["0@0", "2@10"])
    follower.cancel()
  }

  @Test("E1: a throttled sequence that ends loses nothing")
  func e1AtTheEnd() {
    let source = Source()
    let follower = stage.follow(source.throttled(for: .seconds(10), clock: stage.clock))
    give([0, 1, 2], endingAt: true, to: source)
    #expect(follower.timed == ["0@0", "2@2", "end@2"])
  }

  @Test("E2: a throttled sequence lets the first value through at once, then one per window")
  func e2() {
    let source = Source()
    let follower = stage.follow(source.throttled(for: .seconds(3), clock: stage.clock))
    give(Array(0...9), to: source)
    let entries = follower.timed
    #expect(entries.first == "0@0")
    #expect(entries.map { $0.split(separator: "@")[1] } == ["0", "3", "6", "9", "12"])
    #expect(entries.last == "9@12", "the last value is not lost")
    follower.cancel()
  }

  private static let ticks = [0, 1, 4, 5, 7, 9, 13, 14]

  @Test("E4: a debounced sequence lets the last of each burst through, and the last with the end")
  func e4() {
    let source = Source()
    let follower = stage.follow(source.debounced(for: .seconds(3), clock: stage.clock))
    give(Self.ticks, endingAt: true, to: source)
    #expect(follower.timed == ["9@12", "14@14", "end@14"])
  }

  @Test("E4: without an end the last value comes after its quiet period")
  func e4OpenEnded() {
    let source = Source()
    let follower = stage.follow(source.debounced(for: .seconds(3), clock: stage.clock))
    give(Self.ticks, to: source)
    #expect(follower.timed == ["9@12", "14@17"])
    follower.cancel()
  }

  enum Moment: CaseIterable, Sendable { case whileWaiting, whileBusy, inTheDeadline }

  @Test("E5: an error comes after the value that was waiting", arguments: Moment.allCases)
  func e5(_ moment: Moment) {
    let source = Source()
    let clock = stage.clock
    let log = Journal<String>()
    let task = stage.perform {
      let debounced = source.debounced(for: .seconds(3), clock: clock)
      do {
        for try await value in debounced {
          log.note("\(value)@\(clock.now.offset.components.seconds)")
          if moment == .whileBusy { try? await clock.sleep(for: .seconds(10)) }
        }
      } catch {
        log.note("\(error)@\(clock.now.offset.components.seconds)")
      }
    }
    switch moment {
    case .whileWaiting:
      source.continuation.yield(1)
      stage.settle()
      stage.advance(by: 1)
      source.continuation.finish(throwing: Failure())
      stage.settle()
      #expect(log.entries == ["1@1", "Failure(code: 0)@1"])
    case .whileBusy:
      source.continuation.yield(1)
      stage.settle()
      stage.advance(by: 4)
      source.continuation.yield(2)
      source.continuation.finish(throwing: Failure())
      stage.settle()
      stage.advance(by: 20)
      #expect(log.entries == ["1@3", "2@13", "Failure(code: 0)@23"])
    case .inTheDeadline:
      source.continuation.yield(1)
      stage.settle()
      stage.perform {
        try? await clock.sleep(for: .seconds(3))
        source.continuation.finish(throwing: Failure())
      }
      stage.advance(by: 3)
      #expect(log.entries == ["1@3", "Failure(code: 0)@3"])
    }
    task.cancel()
    stage.settle()
  }

  @Test("E5: a coalesced sequence delivers the batch that was waiting, then the error")
  func e5Coalesced() {
    let source = Source()
    let follower = stage.follow(
      source.coalesced(over: .seconds(3), limit: 10, clock: stage.clock))
    source.continuation.yield(1)
    source.continuation.yield(2)
    source.continuation.finish(throwing: Failure())
    #expect(follower.timed == ["[1, 2]@0", "Failure(code: 0)@0"])
  }

  @Test("E14: a full batch holds the sequence back, and nothing is lost")
  func e14Coalesced() {
    let producer = Producer<Int, Never>()
    let feed = Feed(.newest(1_000), start: producer.start)
    let batches = Journal<[Int]>()
    let gate = Gate()
    let clock = stage.clock
    let task = stage.perform {
      for await batch in feed.coalesced(over: .seconds(1), limit: 3, clock: clock) {
        batches.note(batch)
        await gate.pass()
      }
    }
    for number in 1...8 { producer.input.send(number) }
    stage.settle()
    #expect(batches.entries == [[1, 2, 3]])
    // Three wait as a batch, one in the hands of the task that holds it; the rest are the feed's.
    #expect(feed.counters.counts.depth <= 2)
    gate.open()
    producer.input.finish()
    stage.settle()
    #expect(batches.entries == [[1, 2, 3], [4, 5, 6], [7, 8]])
    withExtendedLifetime(task) {}
  }

  @Test("E19: the sequence is kept while it is paced, and ends with the consumer")
  func e19() {
    /// Stops when it goes, as a class that wraps a callback does.
    final class Sensor: AsyncSequence, Sendable {
      let numbers: AsyncStream<Int>
      let continuation: AsyncStream<Int>.Continuation
      let log: Journal<String>

      init(_ log: Journal<String>) {
        self.log = log
        (numbers, continuation) = AsyncStream.makeStream()
        continuation.onTermination = { _ in log.note("terminated") }
      }

      deinit {
        log.note("gone")
        continuation.finish()
      }

      func makeAsyncIterator() -> AsyncStream<Int>.Iterator { numbers.makeAsyncIterator() }
    }

    let log = Journal<String>()
    let inputs = Journal<AsyncStream<Int>.Continuation>()
    let values = Journal<Int>()
    let clock = stage.clock
    let task = stage.perform {
      func make() -> Feed<Int, Never> {
        let sensor = Sensor(log)
        inputs.note(sensor.continuation)
        return sensor.throttled(for: .seconds(1), clock: clock)
      }
      var iterator = make().makeAsyncIterator()
      while let value = await iterator.next() { values.note(value) }
    }
    inputs.entries[0].yield(1)
    stage.settle()
    stage.advance(by: 2)
    inputs.entries[0].yield(2)
    stage.settle()
    #expect(values.entries == [1, 2])
    #expect(log.entries == [])
    task.cancel()
    stage.settle()
    #expect(log.entries.sorted() == ["gone", "terminated"])
  }

  @Test func aConsumerThatLeavesEndsTheSequence() {
    let producer = Producer<Int, Never>()
    let feed = Feed(.newest(10), start: producer.start)
    let clock = stage.clock
    let task = stage.perform {
      for await _ in feed.debounced(for: .seconds(1), clock: clock) { break }
    }
    producer.input.send(1)
    stage.settle()
    stage.advance(by: 1)
    stage.settle()
    #expect(producer.log.entries == ["start", "stop"])
    withExtendedLifetime(task) {}
  }

  /// Has a number at once, each time that it is asked.
  private struct Numbers: AsyncSequence, AsyncIteratorProtocol {
    let asked: Tally

    func makeAsyncIterator() -> Numbers { self }

    func next() async -> Int? { await next(isolation: nil) }

    func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Int? {
      asked.increment()
      return asked.count > 1_000 ? nil : asked.count
    }
  }

  @Test func aSequenceThatNeverSuspendsLetsItsConsumerIn() {
    let asked = Tally()
    let seen = Journal<Int>()
    stage.perform { [clock = stage.clock] in
      for await _ in Numbers(asked: asked).throttled(for: .seconds(1), clock: clock) {
        seen.note(asked.count)
      }
    }
    #expect(seen.entries.first.map { $0 <= 128 } == true)
  }

  @Test func aFullBatchThatWaitsKeepsTheSequenceFromBeingAsked() {
    let asked = Tally()
    let source = AsyncStream<Int> {
      asked.increment()
      return asked.count
    }
    let task = stage.perform { [clock = stage.clock] in
      let gate = Gate()
      for await _ in source.coalesced(over: .seconds(1), limit: 2, clock: clock) {
        await gate.pass()
      }
    }
    #expect(asked.count == 4, "two are with the consumer, and two wait for it")
    task.cancel()
    stage.settle()
  }
}
