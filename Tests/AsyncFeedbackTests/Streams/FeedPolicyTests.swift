import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Feed: what is kept") struct FeedPolicyTests {
  struct Score: Sendable, CustomStringConvertible {
    let id: String
    let points: Int
    var description: String { "\(id)\(points)" }
  }

  private let stage = FeedStage()

  /// A consumer that takes only when it is told to.
  private func hold<Element, Failure>(
    _ feed: Feed<Element, Failure>, _ gate: Gate
  ) -> Follower {
    let log = Journal<String>()
    let task = stage.perform {
      do {
        var iterator = feed.withGaps.makeAsyncIterator()
        guard let first = try await iterator.next() else { return }
        log.note("\(first)")
        await gate.pass()
        while let step = try await iterator.next() { log.note("\(step)") }
        log.note("end")
      } catch {
        log.note("\(error)")
      }
    }
    return Follower(task: task, log: log, executor: stage.executor)
  }

  private func run(_ policy: FeedPolicy<Int, Int>, _ numbers: [Int]) -> ([String], FeedCounts) {
    let producer = Producer<Int, Never>()
    let gate = Gate()
    let feed = Feed(policy, start: producer.start)
    let follower = hold(feed, gate)
    producer.input.send(0)
    stage.settle()
    for number in numbers { producer.input.send(number) }
    let counts = feed.counters.counts
    #expect(counts.sum == counts.received)
    gate.open()
    stage.settle()
    producer.input.finish()
    stage.settle()
    let after = feed.counters.counts
    #expect(after.sum == after.received && after.depth == 0)
    return (
      follower.entries.map { $0.replacing("element(", with: "").replacing(")", with: "") }, counts
    )
  }

  @Test func theNewestAreKept() {
    let (entries, counts) = run(.newest(3), [1, 2, 3, 4, 5])
    #expect(entries == ["0", "gap(2", "3", "4", "5", "end"])
    #expect(counts.received == 6 && counts.dropped == 2 && counts.depth == 3)
    #expect(counts.highWaterMark == 3)
  }

  @Test func theOldestAreKept() {
    let (entries, counts) = run(.oldest(3), [1, 2, 3, 4, 5])
    #expect(entries == ["0", "1", "2", "3", "gap(2", "end"])
    #expect(counts.received == 6 && counts.dropped == 2 && counts.depth == 3)
  }

  @Test func nothingIsLostWhileThereIsRoom() {
    let (entries, counts) = run(.newest(100), Array(1...100))
    #expect(entries == (0...100).map(String.init) + ["end"])
    #expect(counts.dropped == 0 && counts.highWaterMark == 100)
  }

  @Test func elementsUnderTheConsumersHandsCountAsKept() async {
    let producer = Producer<Int, Never>()
    let feed = Feed(.newest(4), start: producer.start)
    let steps = Journal<FeedStep<Int>>()
    let gates = (0..<3).map { _ in Gate() }
    let task = stage.perform {
      var iterator = feed.withGaps.makeAsyncIterator()
      for gate in gates {
        if let step = await iterator.next() { steps.note(step) }
        await gate.pass()
      }
      while let step = await iterator.next() { steps.note(step) }
    }
    for number in 1...4 { producer.input.send(number) }
    stage.settle()
    #expect(feed.counters.counts.depth == 3, "it has one, and three more within reach")
    for number in 5...6 { producer.input.send(number) }
    #expect(feed.counters.counts.depth == 4)
    #expect(feed.counters.counts.dropped == 1)
    gates[0].open()
    stage.settle()
    for number in 7...9 { producer.input.send(number) }
    for gate in gates { gate.open() }
    stage.settle()
    producer.input.finish()
    stage.settle()
    #expect(
      steps.entries == [
        .element(1), .gap(1), .gap(3), .element(6), .element(7), .element(8), .element(9),
      ])
    withExtendedLifetime(task) {}
  }

  @Test func theOldestMakeRoomAsTheyAreTaken() {
    let producer = Producer<Int, Never>()
    let feed = Feed(.oldest(2), start: producer.start)
    let gate = Gate()
    let follower = hold(feed, gate)
    producer.input.send(1)
    stage.settle()
    #expect(producer.input.send(2))
    #expect(producer.input.send(3))
    #expect(!producer.input.send(4))
    #expect(!producer.input.isOver, "a full feed is not over")
    gate.open()
    stage.settle()
    #expect(producer.input.send(5))
    stage.settle()
    #expect(
      follower.entries == ["element(1)", "element(2)", "element(3)", "gap(1)", "element(5)"])
    follower.cancel()
  }

  @Test func theLatestOfEachKeyIsKeptInTheOrderInWhichTheKeysBeganToWait() {
    let producer = Producer<Score, Never>()
    let feed = Feed(.latest(by: \.id, limit: 3), start: producer.start)
    let gate = Gate()
    let follower = hold(feed, gate)
    producer.input.send(Score(id: "a", points: 0))
    stage.settle()
    for (id, points) in [("b", 1), ("a", 1), ("b", 2), ("c", 1), ("a", 2), ("d", 1)] {
      producer.input.send(Score(id: id, points: points))
    }
    let counts = feed.counters.counts
    #expect(counts.coalesced == 2 && counts.dropped == 1 && counts.depth == 3)
    gate.open()
    #expect(
      follower.entries == ["element(a0)", "gap(1)", "element(a2)", "element(c1)", "element(d1)"])
    producer.input.send(Score(id: "a", points: 3))
    #expect(follower.entries.last == "element(a3)")
    follower.cancel()
  }

  @Test func countsAreExactWhateverTheTimesOfProducerAndConsumer() async {
    for policy: FeedPolicy<Int, Int> in [
      .newest(8), .oldest(8), .newest(1), .oldest(1), .latest(by: { $0 % 5 }, limit: 3),
    ] {
      let known = Handover<FeedCounters>()
      let feed = Feed<Int, Never>(policy) { input in
        Task.detached {
          await withTaskGroup { group in
            for producer in 0..<3 {
              group.addTask {
                for number in 0..<3_000 {
                  input.send(number * 3 + producer)
                  guard number.isMultiple(of: 50), let counts = known.value?.counts else {
                    continue
                  }
                  #expect(counts.sum == counts.received)
                  #expect(counts.depth <= 8)
                }
              }
            }
          }
          input.finish()
        }
        return {}
      }
      let counters = feed.counters
      known.value = counters
      let (delivered, missing) = await count(feed)
      let counts = counters.counts
      #expect(counts.received == 9_000)
      #expect(counts.delivered == delivered)
      #expect(counts.dropped == missing)
      #expect(counts.sum == 9_000 && counts.depth == 0 && counts.abandoned == 0)
    }
  }

  @concurrent
  private func count(_ feed: Feed<Int, Never>) async -> (delivered: Int, missing: Int) {
    var (delivered, missing) = (0, 0)
    for await step in feed.withGaps {
      switch step {
      case .element: delivered += 1
      case .gap(let count): missing += count
      }
    }
    return (delivered, missing)
  }

  @Test func theStopIsCalledOnceHoweverTheEndsMeet() async {
    for round in 0..<300 {
      let starts = Tally()
      let stops = Tally()
      let late = Tally()
      let feed = Feed<Int, any Error>(.newest(4)) { input in
        starts.increment()
        Task.detached {
          for number in 0..<20 { input.send(number) }
          if round.isMultiple(of: 2) { input.finish() } else { input.finish(throwing: Failure()) }
          if input.send(0) { late.increment() }
        }
        return { stops.increment() }
      }
      let consumer = Task.detached {
        var count = 0
        for try await _ in feed {
          count += 1
          guard count == 2 else { continue }
          if round.isMultiple(of: 3) { break }
          if round.isMultiple(of: 7) { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      // It may not have begun.
      if round.isMultiple(of: 5) { consumer.cancel() }
      _ = await consumer.result
      let counts = feed.counters.counts
      // Who ends the run calls it. Where that is the producer, the consumer may see the end a moment before.
      await stops.reaches(starts.count)
      #expect(stops.count == starts.count)
      if !round.isMultiple(of: 5) { #expect(starts.count == 1) }
      #expect(late.count == 0)
      #expect(counts.sum == counts.received && counts.depth == 0)
      #expect(feed.counters.consumers == 0)
    }
  }
}
