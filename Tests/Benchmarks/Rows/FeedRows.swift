import AsyncFeedback
import Synchronization

/// What a feed takes for an element, and what it keeps of a burst.
func feedRows(_ clock: BenchmarkClock) -> [Row] {
  [
    Row(
      name: "feed", executor: .none, operations: 1_000_000,
      bound: .times(0.125, of: "asyncstream"),
      note: "an element of a feed, with the producer, the consumer and the room of asyncstream"
    ) { operations in
      await consume(operations, clock)
    },
    Row(
      name: "feed-burst", executor: .none, operations: 1_000_000,
      note: "an element that comes to a feed of the newest 1,000 whose consumer has stopped"
    ) { operations in
      await burst(operations, clock).time
    },
    Row(
      name: "feed-burst-memory", executor: .none, unit: .bytes, operations: 1_000_000,
      bound: .atMost(65_536),
      note: "what such a burst leaves, resident or by the allocator's books, whichever is more"
    ) { operations in
      await burst(operations, clock).growth
    },
    Row(
      name: "coalesce", executor: .none, operations: 1_000_000,
      note:
        "an update of one of 1,000 keys in a feed of the latest by key whose consumer has stopped"
    ) { operations in
      await coalesce(operations, clock)
    },
  ]
}

@concurrent
private func consume(_ operations: Int, _ clock: BenchmarkClock) async -> Double {
  let start = clock.now()
  let feed = Feed<Tally.Event, Never>(.newest(operations)) { input in
    Task.detached {
      for _ in 0..<operations { input.send(.incremented) }
      input.finish()
    }
    return {}
  }
  var count = 0
  for await _ in feed { count += 1 }
  let elapsed = clock.now() - start
  precondition(count == operations, "each element must arrive (\(count) did)")
  return Double(elapsed) / Double(operations)
}

/// The input of a feed that was started, for a producer of the benchmark's own.
private final class Tap<Input: Sendable>: Sendable {
  private let input = Mutex<FeedInput<Input, Never>?>(nil)

  /// Makes a feed whose first element comes at its start.
  func feed(_ policy: FeedPolicy<Input, Input>, first: Input) -> Feed<Input, Never> {
    Feed(policy) { [self] input in
      self.input.withLock { $0 = input }
      input.send(first)
      return {}
    }
  }

  var opened: FeedInput<Input, Never> {
    guard let input = input.withLock({ $0 }) else {
      preconditionFailure("the feed must have been started (was not)")
    }
    return input
  }
}

@concurrent
private func burst(
  _ operations: Int, _ clock: BenchmarkClock
) async -> (time: Double, growth: Double) {
  let tap = Tap<Int>()
  let feed = tap.feed(.newest(1_000), first: 0)
  var iterator = feed.makeAsyncIterator()
  _ = await iterator.next(isolation: nil)
  let input = tap.opened
  for number in 0..<1_000 { input.send(number) }
  let live = liveBytes()
  let resident = residentBytes()
  let start = clock.now()
  for number in 0..<operations { input.send(number) }
  let elapsed = clock.now() - start
  let growth = max(residentBytes() - resident, liveBytes() - live, 0)
  let counts = feed.counters.counts
  precondition(
    counts.dropped == operations && counts.depth == 1_000,
    "each element beyond 1,000 must be counted as dropped (was \(counts))")
  return (Double(elapsed) / Double(operations), Double(growth))
}

@concurrent
private func coalesce(_ operations: Int, _ clock: BenchmarkClock) async -> Double {
  struct Update: Sendable { var id: Int, value: Int }
  let tap = Tap<Update>()
  let feed = tap.feed(.latest(by: \.id, limit: 1_000), first: Update(id: 0, value: 0))
  var iterator = feed.makeAsyncIterator()
  _ = await iterator.next(isolation: nil)
  let input = tap.opened
  let start = clock.now()
  for number in 0..<operations { input.send(Update(id: number % 1_000, value: number)) }
  let elapsed = clock.now() - start
  input.finish()
  var kept = 0
  while let update = await iterator.next(isolation: nil) {
    precondition(update.id == kept, "keys must come in their order (\(update.id) did at \(kept))")
    kept += 1
  }
  let counts = feed.counters.counts
  precondition(
    kept == min(1_000, operations) && counts.coalesced == operations - kept,
    "each update but the last of its key must be coalesced (was \(counts))")
  return Double(elapsed) / Double(operations)
}
