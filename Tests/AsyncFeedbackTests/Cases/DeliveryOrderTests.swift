import AsyncFeedback
import Testing

@Suite("Cases A: order", .timeLimit(.minutes(10)))
struct DeliveryOrderTests {
  /// Everything that a closure of `values(of:)` is shown, without repetitions.
  private func shown(_ journal: Journal<Int>) -> [Int] {
    journal.entries.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  @MainActor
  @Test("A2: an event sent from an observer's first look is seen")
  func eventFromAnObserversFirstLook() async {
    let context = Context(state: 0, system: Sum.adding())
    let running = context.start()
    await context.quiet()
    let observer = FieldObserver({ context[\.self] }) { value in
      if value == 0 { context.send(1_000) }
    }
    #expect(context[\.self] == 1_000)
    #expect(observer.values == [0, 1_000])
    running.stop()
    await running.ended()
  }

  @Test("A2: an event sent for a consumer's first value is seen", arguments: Venue.allCases)
  func eventForAConsumersFirstValue(venue: Venue) async {
    let context = Context(state: 0, system: Sum.adding(), executor: venue.executor())
    let running = context.start()
    var seen: [Int] = []
    for await value in context.values(of: { $0 }) {
      seen.append(value)
      if value == 0 { context.send(1_000) } else { break }
    }
    #expect(seen == [0, 1_000])
    running.stop()
    await running.ended()
  }

  @Test("A2: an event sent by the monitor's first look is seen", arguments: Venue.allCases)
  func eventFromTheMonitorsFirstLook(venue: Venue) async {
    let outside = Handover<Context<Sum>>()
    let monitor = WordMonitor { line in
      if line == "loopStarted" { outside.value?.send(1_000) }
    }
    let context = Context(
      state: 0, system: Sum.adding(), executor: venue.executor(), monitor: monitor)
    outside.value = context
    let running = context.start()
    await context.quiet()
    outside.value = nil
    #expect(await context.state == 1_000)
    running.stop()
    await running.ended()
  }

  @MainActor
  @Test("A3: re-entrant sends keep one order for everybody", arguments: [false, true])
  func reentrantSends(isThirdQueuedFirst: Bool) async {
    let reduced = Journal<Int>()
    let shown = Journal<Int>()
    let outside = Handover<Context<Sum>>()
    let monitor = WordMonitor { line in
      if line == "event 1", isThirdQueuedFirst { outside.value?.send(4) }
    }
    let system = Sum({ state, event in
      state += event
      reduced.note(state)
    })
    let context = Context(state: 0, system: system, monitor: monitor)
    let running = context.start()
    await context.quiet()
    outside.value = context
    let before = FieldObserver({ context[\.self] })
    let sender = FieldObserver({ context[\.self] }) { value in
      if value == 1 { context.send(2) }
      if value == 3 { context.send(4) }
    }
    let after = FieldObserver({ context[\.self] })
    var values = context.values { state in
      shown.note(state)
      return state
    }.makeAsyncIterator()
    #expect(await values.next() == 0)
    context.send(1)
    let expected = isThirdQueuedFirst ? [0, 1, 5, 7] : [0, 1, 3, 7]
    #expect(reduced.entries == Array(expected.dropFirst()))
    #expect(before.values == expected)
    #expect(sender.values == expected)
    #expect(after.values == expected)
    #expect(self.shown(shown) == expected)
    #expect(monitor.lines("state") == expected.dropFirst().map { "state \($0)" })
    #expect(await values.next() == 7)
    outside.value = nil
    running.stop()
    await running.ended()
  }

  @Test(
    "A6: immediate answers of several feedbacks come in the order of declaration",
    arguments: Venue.allCases)
  func immediateAnswers(venue: Venue) async {
    typealias Chorus = ClosureSystem<[String], String>
    @Sendable func isStart(_ event: String) -> String? { event == "go" ? event : nil }
    var feedbacks: [Feedback<Chorus>] = []
    for number in 0..<5 {
      feedbacks.append(Feedback.on(isStart) { _ in "sync \(number)" })
      feedbacks.append(Feedback.on(isStart) { _ async in "async \(number)" })
      feedbacks.append(Feedback.on(isStart) { _, send in send("sending \(number)") })
    }
    let system = Chorus({ $0.append($1) }, feedbacks: feedbacks)
    let first = (0..<5).map { "sync \($0)" }
    let answers = first + (0..<5).flatMap { ["async \($0)", "sending \($0)"] }
    for _ in 0..<300 {
      let context = Context(state: [], system: system, executor: venue.executor())
      let running = context.start()
      await context.send("go").settled()
      #expect(await context.state == ["go"] + answers)
      running.stop()
    }
  }

  private struct Fields: Sendable {
    var a = 0
    var b = 0
    var c = 0
  }

  @MainActor
  @Test("A12: the list of observers may change while they are told")
  func changingTheListOfObservers() async {
    let context = Context(
      state: Fields(), system: ClosureSystem<Fields, Int>({ $0 = Fields(a: $1, b: $1, c: $1) }))
    let running = context.start()
    await context.quiet()
    // A consumer at the head of the list, which leaves while the second observer is told.
    var consumer: ContextValues<Int>.Iterator? = context.values(of: \.a).makeAsyncIterator()
    #expect(await consumer?.next() == 0)
    var added: FieldObserver<Int>?
    let first = FieldObserver({ context.a }) { value in
      guard value == 1 else { return }
      consumer = nil
      added = FieldObserver({ context.c })
    }
    let second = FieldObserver({ context.b })
    context.send(1)
    first.stop()
    #expect(second.values == [0, 1])
    #expect(added?.values == [1])
    context.send(2)
    context.send(3)
    #expect(first.values == [0, 1])
    #expect(second.values == [0, 1, 2, 3])
    #expect(added?.values == [1, 2, 3])
    running.stop()
    await running.ended()
  }
}
