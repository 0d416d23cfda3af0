import AsyncFeedback
import AsyncFeedbackTestSupport
import Observation
import Testing

/// Counts the jobs that a task of the main actor has elsewhere.
private final class Elsewhere: TaskExecutor {
  let count = Tally()

  func enqueue(_ job: consuming ExecutorJob) {
    count.increment()
    globalConcurrentExecutor.enqueue(job)
  }
}

/// What a task of the main actor waits for again and again.
private protocol Source: Sendable {
  @MainActor func consume(_ seen: Tally) async
  func produce() async
}

/// No more than a continuation.
private final class Bare: Source {
  private let waiter = Lock<UnsafeContinuation<Void, Never>?>(nil)
  private let waits = Tally()
  private let produced = Tally()

  @MainActor func consume(_ seen: Tally) async {
    for _ in 1...5 {
      await withUnsafeContinuation { continuation in
        waiter.withLock { $0 = continuation }
        waits.increment()
      }
      seen.increment()
    }
  }

  func produce() async {
    produced.increment()
    await waits.reaches(produced.count)
    waiter.withLock { $0.take() }?.resume()
  }
}

private struct Fed: Source {
  private let producer = Producer<Int, Never>()
  private let started = Gate()
  private let policy: FeedPolicy<Int, Int>

  init(_ policy: FeedPolicy<Int, Int>) {
    self.policy = policy
  }

  @MainActor func consume(_ seen: Tally) async {
    let feed = Feed(policy) { [producer, started] in
      let stop = producer.start($0)
      started.open()
      return stop
    }
    for await _ in feed { seen.increment() }
  }

  func produce() async {
    await started.pass()
    producer.input.send(1)
  }
}

@Suite("Feed: waiting", .timeLimit(.minutes(10))) struct FeedWaitingTests {
  /// How many jobs four waits of a task of the main actor have elsewhere.
  @MainActor private func countJobs(_ source: some Source) async -> Int {
    let elsewhere = Elsewhere()
    let seen = Tally()
    let task = Task(executorPreference: elsewhere) { await source.consume(seen) }
    await source.produce()
    await seen.reaches(1)
    let atBeginning = elsewhere.count.count
    for number in 2...5 {
      await source.produce()
      await seen.reaches(number)
    }
    let count = elsewhere.count.count - atBeginning
    task.cancel()
    await task.value
    return count
  }

  @Test(arguments: [FeedPolicy<Int, Int>.newest(10), .latest(by: { $0 }, limit: 10)])
  @MainActor func aConsumerWaitsOnItsOwnActor(policy: FeedPolicy<Int, Int>) async {
    // The runtime itself resumes such a task by way of the executor that it prefers.
    #expect(await countJobs(Fed(policy)) <= countJobs(Bare()))
  }

  @Test func whoeverTracksACountIsToldWhenTheConsumerHasTakenAll() {
    let stage = FeedStage()
    let producer = Producer<Int, Never>()
    let feed = Feed(.newest(1_000), start: producer.start)
    let follower = stage.follow(feed)
    let counters = feed.counters
    let told = Tally()
    withObservationTracking {
      _ = counters.counts
      // Whoever reads is listed only after this, so that the first change does not reach him.
      for number in 1...2 { producer.input.send(number) }
    } onChange: {
      told.increment()
    }
    #expect(told.count == 0)
    stage.settle()
    #expect(told.count == 1)
    follower.cancel()
  }
}
