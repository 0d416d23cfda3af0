import AsyncFeedback
import Testing

@Suite("Cases A: many senders", .timeLimit(.minutes(10)))
struct DeliveryConcurrencyTests {
  @Test(
    "A18: ids of a thousand senders are complete, while consumers come and go",
    arguments: Venue.allCases)
  func concurrentSenders(venue: Venue) async {
    let monitor = WordMonitor()
    let context = Context(
      state: [], system: Trace.appending(), executor: venue.executor(), monitor: monitor)
    let running = context.start()
    let consumer = Task {
      var last: [Int] = []
      for await value in context.values(of: { $0 }) {
        last = value
        if value.count == 1_000 { break }
      }
      return last
    }
    await withTaskGroup(of: Void.self) { group in
      for id in 0..<1_000 {
        group.addTask { await context.send(id).value }
        if id.isMultiple(of: 5) {
          group.addTask {
            // Subscribes, takes nothing and leaves.
            var iterator = context.values(of: { $0.count }).makeAsyncIterator()
            let task = Task { await iterator.next() }
            task.cancel()
            _ = await task.value
          }
        }
      }
    }
    await context.quiet()
    let ids = Array(0..<1_000)
    #expect(await context.state.sorted() == ids)
    #expect(await consumer.value.sorted() == ids)
    #expect(monitor.lines("event").count == 1_000)
    #expect(Set(monitor.lines("event")) == Set(ids.map { "event \($0)" }))
    running.stop()
    await running.ended()
  }

  @Test(
    "A19: what is sent during and after a stop waits for the next start", arguments: Venue.allCases)
  func sendsDuringAStop(venue: Venue) async {
    let reduced = Tally()
    let system = Sum({ state, event in
      state += event
      reduced.increment()
    })
    let context = Context(state: 0, system: system, executor: venue.executor())
    for round in 1...500 {
      let running = context.start()
      #expect(context.isRunning)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<50 { group.addTask { context.send(1) } }
        group.addTask {
          running.stop()
          #expect(!context.isRunning)
          await running.ended()
        }
        for _ in 0..<50 { group.addTask { context.send(1) } }
      }
      // Nothing is reduced any more.
      let count = reduced.count
      #expect(await context.state == count)
      #expect(count <= round * 100)
    }
    let last = context.start()
    await context.quiet()
    #expect(await context.state == 50_000)
    #expect(reduced.count == 50_000)
    last.stop()
    await last.ended()
  }

  @Test("A19: after a stop on the executor itself nothing is reduced", arguments: Venue.allCases)
  func nothingIsReducedAfterAStopOnTheExecutor(venue: Venue) async {
    let context = Context(state: 0, system: Sum.adding(), executor: venue.executor())
    for _ in 0..<100 {
      let running = context.start()
      for _ in 0..<100 { context.send(1) }
      await context.perform { context in
        running.stop()
        #expect(!context.isRunning)
        let before = context.state
        context.send(1)
        #expect(context.state == before)
      }
      await running.ended()
    }
    let last = context.start()
    await context.quiet()
    #expect(await context.state == 100 * 101)
    last.stop()
    await last.ended()
  }
}
