import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Cases B: stale results", .timeLimit(.minutes(10)))
struct LifetimesStaleTests: LifetimesSuite {
  private let begun = Tally()
  private let gates = ["a": Gate(), "b": Gate()]

  @Test(
    "B1: an answer in the queue is dropped when the one before it leaves its state",
    arguments: Venue.allCases, [false, true])
  func queuedAnswerOfALostLease(venue: Venue, isAsynchronous: Bool) async {
    func answer(_ name: String) -> Feedback<Subject> {
      isAsynchronous
        ? Feedback(.while { $0.request == "S" }, name: name) { _ async in .requested(name) }
        : Feedback(.while { $0.request == "S" }, name: name) { _ in .requested(name) }
    }
    let monitor = WordMonitor()
    let context = Context(
      state: State(), system: subject([answer("first"), answer("second")]),
      executor: venue.executor(), monitor: monitor)
    let running = context.start()
    await context.quiet()
    await context.send(.requested("S")).settled()
    #expect(await context.state.request == "first")
    #expect(monitor.lines("event").count == 2)
    // An asynchronous second body that has not begun yet does not begin any more.
    let cut = monitor.lines("dropped second").count + monitor.lines("cancelled").count
    #expect(cut == 1, "\(monitor.lines)")
    running.stop()
    await running.ended()
  }

  @Test("B2: a source that has merely finished keeps its queued events", arguments: Venue.allCases)
  func queuedEventsOfAFinishedSource(venue: Venue) async {
    let order = Journal<String>()
    let system = subject([
      Feedback(.while { $0.request == "S" }, name: "sender") { _, send in
        for number in 1...3 { send(.answered("sent \(number)")) }
        order.note("ended")
      },
      Feedback.stream(\.request) { _ in
        AsyncStream { continuation in
          for number in 1...3 { continuation.yield("streamed \(number)") }
          continuation.finish()
        }
      } event: {
        .answered($0)
      },
    ])
    let monitor = WordMonitor { line in
      if line.hasPrefix("event answered") { order.note("reduced") }
    }
    let context = Context(
      state: State(), system: system, executor: venue.executor(), monitor: monitor)
    let running = context.start()
    context.send(.requested("S"))
    var values = context.values(of: \.answers).makeAsyncIterator()
    while let answers = await values.next(), answers.count < 6 {}
    #expect(order.entries.first == "ended")
    #expect(
      await Set(context.state.answers)
        == Set((1...3).flatMap { ["sent \($0)", "streamed \($0)"] }))
    running.stop()
    await running.ended()
  }

  @Test(
    "B4: a request that comes back runs again, and its first run is cancelled",
    arguments: Venue.allCases)
  func requestThatComesBack(venue: Venue) async {
    let cancelled = Tally()
    let gate = Gate()
    let system = subject([
      Feedback.each(\.rows) { _ in
        begun.increment()
        await gate.pass()
        if Task.isCancelled { cancelled.increment() }
        return .answered("done")
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    context.send(.rowsChanged([0]))
    await begun.reaches(1)
    context.send(.rowsChanged([]))
    await cancelled.reaches(1)
    context.send(.rowsChanged([0]))
    await begun.reaches(2)
    gate.open()
    await context.quiet()
    #expect(begun.count == 2)
    #expect(cancelled.count == 1)
    #expect(await context.state.answers == ["done"])
    running.stop()
    await running.ended()
  }

  @Test(
    "B5: work that ignores its replacement does not reach the reducer", arguments: Venue.allCases)
  func nonCooperativeWork(venue: Venue) async {
    let ended = Tally()
    let system = subject([
      Feedback.request(\.request) { name, send in
        begun.increment()
        await gates[name]?.passUncancelled()
        send(.answered("\(name) sent"))
        onOtherThread { send(.answered("\(name) sent elsewhere")) }
        ended.increment()
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    context.send(.requested("a"))
    await begun.reaches(1)
    context.send(.requested("b"))
    await begun.reaches(2)
    gates["a"]?.open()
    await ended.reaches(1)
    gates["b"]?.open()
    await ended.reaches(2)
    await context.quiet()
    #expect(await context.state.answers == ["b sent", "b sent elsewhere"])
    running.stop()
    await running.ended()
  }

  @Test("B6: a slow first answer does not overwrite a fast second")
  func slowFirstAnswer() async {
    let executor = DeterministicExecutor()
    let clock = TestClock()
    let shown = Journal<[String]>()
    let system = subject([
      Feedback.request(\.request) { name in
        try? await clock.sleep(for: .milliseconds(name == "a" ? 300 : 100))
        return .answered(name)
      },
      Feedback(.onChanged(\.answers)) { state in
        shown.note(state.answers)
        return nil
      },
    ])
    let context = Context(state: State(), system: system, executor: .serial(executor))
    let running = context.start()
    func advance(_ milliseconds: Int) {
      for _ in 0..<milliseconds / 10 {
        clock.advance(by: .milliseconds(10))
        executor.runUntilIdle()
      }
    }
    context.send(.requested("a"))
    executor.runUntilIdle()
    advance(50)
    context.send(.requested("b"))
    executor.runUntilIdle()
    advance(500)
    #expect(shown.entries == [[], ["b"]])
    running.stop()
    executor.runUntilIdle()
    await running.ended()
  }

  @Test(
    "B14: an event may cancel the feedback that sent it and awaits it", arguments: Venue.allCases)
  func eventThatCancelsItsSender(venue: Venue) async {
    let monitor = WordMonitor()
    let returned = Gate()
    let system = subject([
      Feedback(.while { $0.request == "S" }, name: "sender") { _, send in
        await send(.requested(nil)).value
        returned.open()
      },
      Feedback(.onChanged(\.request), policy: .overlapping, name: "next") { state in
        .answered(state.request ?? "none")
      },
    ])
    let context = Context(
      state: State(), system: system, executor: venue.executor(), monitor: monitor)
    let running = context.start()
    await context.quiet()
    var values = context.values(of: { $0.request ?? "none" }).makeAsyncIterator()
    #expect(await values.next() == "none")
    await context.send(.requested("S")).settled()
    await returned.pass()
    await context.quiet()
    #expect(await context.state.answers == ["none", "S", "none"])
    #expect(await values.next() == "none")
    #expect(monitor.lines("cancelled") == ["cancelled sender"])
    running.stop()
    await running.ended()
  }
}
