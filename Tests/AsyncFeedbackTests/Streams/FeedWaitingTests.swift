import AsyncFeedback
import AsyncFeedbackTestSupport
import Observation
import Testing

@Suite("Feed: waiting", .timeLimit(.minutes(10))) struct FeedWaitingTests {
  @Test(arguments: [FeedPolicy<Int, Int>.newest(10), .latest(by: { $0 }, limit: 10)])
  @MainActor func aConsumerWaitsOnItsOwnActor(policy: FeedPolicy<Int, Int>) async {
    let producer = Producer<Int, Never>()
    let (started, ended, seen) = (Gate(), Gate(), Tally())
    let feed = Feed(policy) {
      let stop = producer.start($0)
      started.open()
      return stop
    }
    @MainActor func consume() async {
      for await _ in feed { seen.increment() }
      ended.open()
    }
    // What such a task does away from the main actor it does here.
    let elsewhere = DeterministicExecutor()
    Task(executorPreference: elsewhere) { await consume() }
    elsewhere.runUntilIdle()
    await started.pass()
    for number in 1...5 {
      #expect(!elsewhere.runOne(), "it waits, and nothing of that is elsewhere")
      producer.input.send(number)
      // The runtime itself resumes it by way of the executor that it prefers.
      elsewhere.runUntilIdle()
      await seen.reaches(number)
    }
    producer.input.finish()
    elsewhere.runUntilIdle()
    await ended.pass()
    elsewhere.runUntilIdle()
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
