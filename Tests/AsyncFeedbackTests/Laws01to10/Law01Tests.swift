import AsyncFeedback
import Testing

@Suite("Law 1: one at a time", .timeLimit(.minutes(10)))
struct Law01Tests {
  /// Notes when the reducer begins and ends, so that nesting and overlap show.
  private func spied(_ journal: Journal<String>, _ feedbacks: [Feedback<Sum>] = []) -> Sum {
    Sum(
      { state, event in
        journal.note("begin \(event)")
        state += event
        journal.note("end \(event)")
      }, feedbacks: feedbacks)
  }

  private func isSequential(_ entries: [String]) -> Bool {
    guard entries.count.isMultiple(of: 2) else { return false }
    return stride(from: 0, to: entries.count, by: 2).allSatisfy {
      entries[$0].dropFirst("begin".count) == entries[$0 + 1].dropFirst("end".count)
    }
  }

  @Test(arguments: Venue.allCases)
  func theReducerNeverRunsConcurrently(venue: Venue) async {
    let journal = Journal<String>()
    let context = Context(state: 0, system: spied(journal), executor: venue.executor())
    let running = context.start()
    await withTaskGroup { group in
      for sender in 0..<8 {
        group.addTask {
          for number in 0..<200 { context.send(sender * 200 + number) }
          await context.send(0).value
        }
      }
    }
    #expect(isSequential(journal.entries))
    #expect(journal.entries.count == 2 * 8 * 201)
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func anEventSentByASynchronousBodyIsQueued(venue: Venue) async {
    let journal = Journal<String>()
    let outside = Handover<Context<Sum>>()
    let system = spied(
      journal,
      [
        Feedback(.onChanged(\.self)) { state in
          if state == 1 { outside.value?.send(10) }
          journal.note("begin body")
          journal.note("end body")
          return nil
        }
      ])
    let context = Context(state: 0, system: system, executor: venue.executor())
    outside.value = context
    let running = context.start()
    await context.quiet()
    await context.send(1).settled()
    #expect(await context.state == 11)
    #expect(isSequential(journal.entries))
    outside.value = nil
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func anEventSentByTheMonitorIsQueued(venue: Venue) async {
    let journal = Journal<String>()
    let outside = Handover<Context<Sum>>()
    let monitor = WordMonitor { line in
      if line == "event 1" { outside.value?.send(10) }
      if line == "state 1" { outside.value?.send(100) }
    }
    let context = Context(
      state: 0, system: spied(journal), executor: venue.executor(), monitor: monitor)
    outside.value = context
    let running = context.start()
    await context.send(1).settled()
    #expect(journal.entries == [1, 10, 100].flatMap { ["begin \($0)", "end \($0)"] })
    outside.value = nil
    running.stop()
    await running.ended()
  }

  @MainActor @Test func anEventSentByAnObserverIsQueued() async {
    let journal = Journal<String>()
    let context = Context(state: 0, system: spied(journal))
    let running = context.start()
    await context.quiet()
    let observer = FieldObserver({ context[\.self] }) { value in
      if value == 1 { context.send(10) }
      journal.note("begin observer")
      journal.note("end observer")
    }
    context.send(1)
    #expect(context[\.self] == 11)
    #expect(observer.values == [0, 1, 11])
    #expect(isSequential(journal.entries))
    running.stop()
    await running.ended()
  }

  private struct Pair: Sendable {
    var a = 0
    var b = 0
  }

  @MainActor @Test func aBindingWrittenByAnObserverIsQueued() async {
    let journal = Journal<String>()
    let system = ClosureSystem<Pair, Int>(
      { $0.a += $1 },
      feedbacks: [
        Feedback(.onChanged(\.a, \.b)) { state in
          journal.note("\(state.a) \(state.b)")
          return nil
        }
      ])
    let context = Context(state: Pair(), system: system)
    let running = context.start()
    await context.quiet()
    let second = FieldObserver({ context.b })
    let first = FieldObserver({ context.a }) { value in
      if value > 0 { context.binding.b.wrappedValue = value * 10 }
    }
    let third = FieldObserver({ context.b })
    context.send(1)
    context.send(1)
    #expect(context.b == 20)
    #expect(first.values == [0, 1, 2])
    #expect(second.values == [0, 10, 20])
    #expect(third.values == [0, 10, 20])
    #expect(journal.entries == ["0 0", "1 0", "1 10", "2 10", "2 20"])
    running.stop()
    await running.ended()
  }

  @MainActor @Test func anEventSentByAConsumersClosureIsQueued() async {
    let journal = Journal<String>()
    let context = Context(state: 0, system: spied(journal))
    let running = context.start()
    let values = context.values { [weak context] state in
      if state == 1 { context?.send(10) }
      return state
    }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await context.send(1).settled()
    #expect(isSequential(journal.entries))
    #expect(journal.entries.prefix(4) == ["begin 1", "end 1", "begin 10", "end 10"])
    running.stop()
    await running.ended()
  }
}
