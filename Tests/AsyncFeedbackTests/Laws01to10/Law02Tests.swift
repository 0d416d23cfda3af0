import AsyncFeedback
import Testing

@Suite("Law 2: first in, first out", .timeLimit(.minutes(10)))
struct Law02Tests {
  @Test(arguments: Venue.allCases)
  func eventsOfOneSenderKeepTheirOrder(venue: Venue) async {
    let context = Context(state: [], system: Trace.appending(), executor: venue.executor())
    let running = context.start()
    for number in 0..<10_000 { context.send(number) }
    await context.send(10_000).value
    #expect(await context.state == Array(0...10_000))
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func nothingIsLostOrDoubledUnderConcurrentSenders(venue: Venue) async {
    let context = Context(state: [], system: Trace.appending(), executor: venue.executor())
    let running = context.start()
    await withTaskGroup { group in
      for sender in 0..<50 {
        group.addTask {
          for number in 0..<100 { context.send(sender * 100 + number) }
          await context.quiet()
        }
      }
    }
    let state = await context.state
    #expect(state.sorted() == Array(0..<5_000))
    for sender in 0..<50 {
      let own = state.filter { $0 / 100 == sender }
      #expect(own == own.sorted())
    }
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func anEventFromElsewhereIsNotOvertakenOnTheExecutor(venue: Venue) async {
    let context = Context(state: [], system: Trace.appending(), executor: venue.executor())
    let running = context.start()
    await context.quiet()
    let seen = await context.perform { context in
      onOtherThread { context.send(1) }
      context.send(2)
      return context.state
    }
    #expect(seen == [1, 2])
    running.stop()
    await running.ended()
  }

  @MainActor @Test func anEventFromElsewhereIsNotOvertakenByABinding() async {
    let context = Context(state: [], system: Trace.appending())
    let running = context.start()
    await context.quiet()
    onOtherThread { context.send(1) }
    context.binding.wrappedValue = [2]
    context.send(3)
    #expect(context[\.self] == [2, 3])
    running.stop()
    await running.ended()
  }

  /// Events and writes that note the value they found, so that a gap in the chain shows.
  private struct Chain: Sendable {
    var last = 0
    var isGapless = true
  }

  private func chain() -> ClosureSystem<Chain, Int> {
    ClosureSystem({ state, event in
      if event != state.last + 1 { state.isGapless = false }
      state.last = event
    })
  }

  @MainActor @Test(arguments: [true, false])
  func sendsAndWritesOfOneStretchKeepTheirOrder(isStartedFirst: Bool) async {
    let context = Context(state: Chain(), system: chain())
    var running: Running?
    if isStartedFirst {
      running = context.start()
      await context.quiet()
    }
    for number in stride(from: 1, to: 1_000, by: 2) {
      context.send(number)
      // A write over a state that has not seen the event before it would be undone by that.
      context.binding.last.wrappedValue = number + 1
    }
    let ownRunning = running ?? context.start()
    await context.quiet()
    #expect(context.last == 1_000)
    #expect(context.isGapless)
    ownRunning.stop()
    await ownRunning.ended()
  }

  @Test(arguments: Venue.allCases)
  func eventsOfOneBodyKeepTheirOrderWhereverItSendsThem(venue: Venue) async {
    struct Failure: Error {}
    let system = Trace.appending([
      Feedback(.once, catch: { _ in 4 }) { _, send in
        send(1)
        onOtherThread { send(2) }
        send(3)
        throw Failure()
      },
      Feedback(.once, catch: { _ in 6 }) { _, send in
        onOtherThread { send(5) }
        throw Failure()
      },
    ])
    let context = Context(state: [], system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    let state = await context.state
    #expect(state.filter { $0 <= 4 } == [1, 2, 3, 4])
    #expect(state.filter { $0 > 4 } == [5, 6])
    running.stop()
    await running.ended()
  }

  @Test func allEventsOfALongQueueAreReducedInOrder() async {
    let context = Context(state: [], system: Trace.appending(), executor: .background)
    for number in 0..<200_000 { context.send(number) }
    let running = context.start()
    await context.quiet()
    #expect(await context.state == Array(0..<200_000))
    running.stop()
    await running.ended()
  }

  @MainActor @Test func allObserversSeeTheTransitionsInOneOrder() async {
    let monitor = WordMonitor()
    let context = Context(state: 0, system: Sum.adding(), monitor: monitor)
    let running = context.start()
    await context.quiet()
    let first = FieldObserver({ context[\.self] }) { value in
      if value.isMultiple(of: 10), value < 50 { context.send(1) }
      if value % 10 == 1 { context.send(9) }
    }
    let second = FieldObserver({ context[\.self] })
    await context.quiet()
    let expected = [0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50]
    #expect(first.values == expected)
    #expect(second.values == Array(expected.suffix(second.values.count)))
    #expect(monitor.lines("state") == expected.dropFirst().map { "state \($0)" })
    running.stop()
    await running.ended()
  }
}
