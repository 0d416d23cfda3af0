import AsyncFeedback
import Testing

@Suite("Cases A: delivery", .timeLimit(.minutes(10)))
struct DeliveryTests {
  @Test(
    "A1: an event that comes in the instant the queue empties is not left lying",
    arguments: Venue.allCases)
  func eventInTheInstantTheDrainEnds(venue: Venue) async {
    let context = Context(state: 0, system: Sum.adding(), executor: venue.executor())
    let running = context.start()
    let rounds = 10_000
    var short = 0
    for round in 1...rounds {
      async let first: Void = context.send(1).value
      async let second: Void = context.send(1).value
      _ = await (first, second)
      if await context.state != 2 * round { short += 1 }
    }
    #expect(short == 0)
    running.stop()
    await running.ended()
  }

  @Test(
    "A7: a chain that begins with the initial state is complete, however the start races",
    arguments: Venue.allCases)
  func startUpRace(venue: Venue) async {
    let system = Trace.appending([
      Feedback(.onChanged(\.count)) { $0.isEmpty ? 1 : nil },
      Feedback(.filter { $0.last == 1 }) { _ in 2 },
      Feedback(.filter { $0.last == 2 }) { _ async in 3 },
    ])
    for _ in 0..<1_000 {
      let context = Context(state: [], system: system, executor: venue.executor())
      let running = await Task.detached { context.start() }.value
      await context.quiet()
      let state = await context.state
      #expect(state == [1, 2, 3])
      running.stop()
    }
  }

  @Test(
    "A8: events sent before the loop are reduced once, in order, before the first pass",
    arguments: Venue.allCases)
  func eventsBeforeTheLoop(venue: Venue) async {
    let monitor = WordMonitor()
    let system = Trace.appending([
      Feedback(.onChanged(\.count), name: "counter") { $0.count < 4 ? 10 : nil }
    ])
    let context = Context(
      state: [], system: system, executor: venue.executor(), monitor: monitor)
    for number in 1...3 { context.send(number) }
    let running = context.start()
    await context.quiet()
    #expect(await context.state == [1, 2, 3, 10])
    let expected = [
      "loopStarted", "event 1", "state [1]", "event 2", "state [1, 2]", "event 3",
      "state [1, 2, 3]", "started counter", "answered counter 10", "finished counter", "event 10",
      "state [1, 2, 3, 10]", "started counter", "finished counter",
    ]
    #expect(monitor.lines == expected)
    running.stop()
    await running.ended()
  }

  /// A sequence that has all its elements at once, and wraps each wait in two cancellation handlers.
  private struct Wrapped: AsyncSequence {
    struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<Int>.Iterator

      mutating func next() async -> Int? {
        var base = base
        defer { self.base = base }
        return await withTaskCancellationHandler {
          await withTaskCancellationHandler {
            await base.next()
          } onCancel: {
          }
        } onCancel: {
        }
      }
    }

    let base: AsyncStream<Int>

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }
  }

  @Test(
    "A9: elements that are there before the first suspension are delivered",
    arguments: Venue.allCases)
  func elementsBeforeTheFirstSuspension(venue: Venue) async {
    let system = Trace.appending([
      Feedback.stream {
        Wrapped(
          base: AsyncStream { continuation in
            continuation.yield(1)
            continuation.yield(2)
            continuation.finish()
          })
      } event: {
        $0
      },
      Feedback.on({ $0 == 2 ? $0 : nil }) { _ in 3 },
    ])
    for _ in 0..<100 {
      let context = Context(state: [], system: system, executor: venue.executor())
      let running = context.start()
      var values = context.values(of: { $0 }).makeAsyncIterator()
      while let value = await values.next(), value.last != 3 {}
      #expect(await context.state == [1, 2, 3])
      running.stop()
      await running.ended()
    }
  }

  @Test(
    "A13: two loops on one context are one, which lives until the last ends",
    arguments: Venue.allCases)
  func twoLoops(venue: Venue) async {
    let runs = Tally()
    let system = Trace.appending([
      Feedback.on({ $0 < 100 ? $0 : nil }) { number async in
        runs.increment()
        return number + 100
      }
    ])
    let context = Context(state: [], system: system, executor: venue.executor())
    let first = Task { await context.runFeedbackLoop() }
    let second = Task { await context.runFeedbackLoop() }
    await context.send(1).settled()
    #expect(await context.state == [1, 101])
    first.cancel()
    await first.value
    await context.send(2).settled()
    #expect(await context.state == [1, 101, 2, 102])
    #expect(runs.count == 2)
    second.cancel()
    await second.value
    #expect(!context.isRunning)
  }

  @Test("A14: two consumers each see everything", arguments: Venue.allCases)
  func twoConsumers(venue: Venue) async {
    let context = Context(state: 0, system: Sum.adding(), executor: venue.executor())
    let running = context.start()
    let values = context.values(of: { $0 })
    var first = values.makeAsyncIterator()
    var second = values.makeAsyncIterator()
    var seen: [[Int?]] = []
    for number in 0..<100 {
      if number > 0 { await context.send(1).value }
      seen.append([await first.next(), await second.next()])
    }
    #expect(seen == (0..<100).map { [$0, $0] })
    running.stop()
    await running.ended()
  }
}
