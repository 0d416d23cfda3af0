import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Streams and buffers: a slow consumer") struct SlowConsumerTests {
  private let stage = FeedStage()

  @Test("E14: a million values behind a paused consumer leave a hundred, and an exact count")
  func e14() {
    let producer = Producer<Int, Never>()
    let feed = Feed(.newest(100), start: producer.start)
    let gate = Gate()
    let steps = Journal<FeedStep<Int>>()
    let task = stage.perform {
      var iterator = feed.withGaps.makeAsyncIterator()
      if let first = await iterator.next() { steps.note(first) }
      await gate.pass()
      while let step = await iterator.next() { steps.note(step) }
    }
    let input = producer.input
    input.send(0)
    stage.settle()
    for number in 1...1_000_000 { input.send(number) }
    let counts = feed.counters.counts
    #expect(counts.depth == 100 && counts.highWaterMark == 100)
    #expect(counts.dropped == 999_900)
    gate.open()
    input.finish()
    stage.settle()
    #expect(
      steps.entries == [.element(0), .gap(999_900)] + (999_901...1_000_000).map { .element($0) })
    withExtendedLifetime(task) {}
  }

  @Test("E14: the latest of each key is kept, in order")
  func e14Keyed() {
    struct Update: Sendable, Equatable { let id: Int, value: Int }
    let producer = Producer<Update, Never>()
    let feed = Feed(.latest(by: \.id, limit: 1_000), start: producer.start)
    let gate = Gate()
    let updates = Journal<Update>()
    let task = stage.perform {
      var iterator = feed.makeAsyncIterator()
      _ = await iterator.next()
      await gate.pass()
      while let update = await iterator.next() { updates.note(update) }
    }
    let input = producer.input
    input.send(Update(id: -1, value: 0))
    stage.settle()
    for number in 0..<100_000 { input.send(Update(id: number % 1_000, value: number)) }
    #expect(feed.counters.counts.coalesced == 99_000)
    gate.open()
    input.finish()
    stage.settle()
    #expect(updates.entries == (0..<1_000).map { Update(id: $0, value: 99_000 + $0) })
    withExtendedLifetime(task) {}
  }
}
