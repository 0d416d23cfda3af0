import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Requests by name, and what came back.
private enum Event: Sendable {
  case requested(String?)
  case rowsChanged([Int])
  case answered(String)
}

private struct Row: Sendable, Identifiable, Equatable {
  let id: Int
}

private struct State: Sendable {
  var request: String?
  var rows: [Row] = []
  var answers: [String] = []
}

private typealias Subject = AdHocSystem<State, Event>

private func subject(_ feedbacks: [Feedback<Subject>]) -> Subject {
  Subject(
    { state, event in
      switch event {
      case .requested(let request): state.request = request
      case .rowsChanged(let ids): state.rows = ids.map(Row.init)
      case .answered(let answer): state.answers.append(answer)
      }
    }, feedbacks: feedbacks)
}

@Suite("Cases B: stale results", .timeLimit(.minutes(2)))
struct LifetimesStaleTests {
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
    let monitor = NotebookMonitor()
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
    let order = Notebook<String>()
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
    let monitor = NotebookMonitor { line in
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
    let shown = Notebook<[String]>()
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
    let monitor = NotebookMonitor()
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

@Suite("Cases B: starts and ends", .timeLimit(.minutes(2)))
struct LifetimesTests {
  private let begun = Tally()
  private let gate = Gate()

  private func name(_ event: Event) -> String? {
    if case .requested(let name?) = event { name } else { nil }
  }

  @MainActor
  @Test("B7: what is cancelled before it started never runs")
  func cancelledBeforeItStarted() async {
    let system = subject([
      Feedback.request(\.request) { _ async in
        begun.increment()
        return nil
      }
    ])
    let context = Context(state: State(), system: system)
    let running = context.start()
    await context.quiet()
    // One stretch: nothing of the loop's gets in between.
    context.send(.requested("a"))
    context.send(.requested(nil))
    await context.quiet()
    #expect(begun.count == 0)
    #expect(context.driver.aliveRuns.isEmpty)
    running.stop()
    await running.ended()
  }

  @Test(
    "B7: three that wait behind a limit of one never run once their level is left",
    arguments: Venue.allCases)
  func threeThatWait(venue: Venue) async {
    let system = subject([
      Feedback.request(\.request, policy: .overlapping(limit: 1)) { _ in
        begun.increment()
        await gate.passUncancelled()
        return .answered("late")
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    context.send(.requested("a"))
    await begun.reaches(1)
    for name in ["b", "c", "d"] { await context.send(.requested(name)).value }
    #expect(await context.perform { $0.driver.aliveRuns.count } == 4)
    await context.send(.requested(nil)).value
    gate.open()
    await context.quiet()
    #expect(begun.count == 1)
    #expect(await context.state.answers.isEmpty)
    #expect(await context.perform { $0.driver.aliveRuns.isEmpty })
    running.stop()
    await running.ended()
  }

  @Test(
    "B10: rows run side by side, and within one row only the latest counts",
    arguments: Venue.allCases)
  func siblingRows(venue: Venue) async {
    struct Item: Sendable, Identifiable, Equatable {
      let id: Int
      var version = 0
    }
    typealias Items = AdHocSystem<
      (items: [Item], results: [String]), (items: [Item], result: String?)
    >
    let system = Items(
      { state, event in
        state.items = event.items.isEmpty ? state.items : event.items
        if let result = event.result { state.results.append(result) }
      },
      feedbacks: [
        Feedback.each({ $0.items }, name: "row") { item in
          begun.increment()
          await gate.passUncancelled()
          return ([], "\(item.id).\(item.version)")
        }
      ])
    let context = Context(state: ([], []), system: system, executor: venue.executor())
    let running = context.start()
    var items = (0..<10).map { Item(id: $0) }
    context.send((items, nil))
    await begun.reaches(10)
    items[3].version = 1
    context.send((items, nil))
    await begun.reaches(11)
    gate.open()
    await context.quiet()
    let expected = (0..<10).map { $0 == 3 ? "3.1" : "\($0).0" }
    #expect(await context.state.results.sorted() == expected)
    running.stop()
    await running.ended()
  }

  @Test(
    "B11: when the owner goes, its work is cancelled and the context is gone",
    arguments: Venue.allCases)
  func releasedOwner(venue: Venue) async {
    let clock = TestClock()
    let cancelled = Gate()
    let ended = Gate()
    let system = subject([
      Feedback(.once) { _ in
        begun.increment()
        await withTaskCancellationHandler {
          try? await clock.sleep(for: .seconds(1))
        } onCancel: {
          cancelled.open()
        }
        ended.open()
        return .answered("late")
      }
    ])
    var context: Context? = Context(state: State(), system: system, executor: venue.executor())
    guard let reference = context.map(WeakReference.init) else { return }
    var running = context?.start()
    await begun.reaches(1)
    running = nil
    context = nil
    #expect(reference.object == nil)
    #expect(running == nil)
    await cancelled.pass()
    await ended.pass()
    #expect(clock.now == .zero)
  }

  @Test("B13: the next run starts when the one before has cleaned up", arguments: Venue.allCases)
  func exclusiveResource(venue: Venue) async {
    let journal = Notebook<String>()
    let system = subject([
      Feedback.request(\.request, policy: .latest(.afterCleanup)) { name in
        journal.note("open \(name)")
        begun.increment()
        await gate.pass()
        // The cleanup suspends.
        await Task.detached {}.value
        journal.note("close \(name)")
        return nil
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    context.send(.requested("1"))
    await begun.reaches(1)
    context.send(.requested("2"))
    await begun.reaches(2)
    context.send(.requested(nil))
    await context.quiet()
    #expect(journal.entries == ["open 1", "close 1", "open 2", "close 2"])
    running.stop()
    await running.ended()
  }

  @Test(
    "B21: a feedback that never answers sees every change until it is cancelled",
    arguments: Venue.allCases)
  func feedbackWithoutEvents(venue: Venue) async {
    let synchronous = Notebook<String>()
    let queued = Notebook<String>()
    let handed = Notebook<Int>()
    let system = subject([
      Feedback(.onChanged(\.request)) { state in
        synchronous.note(state.request ?? "none")
        return nil
      },
      Feedback.on(name, policy: .queued) { name async in
        queued.note(name)
        return nil
      },
      Feedback.eachUpdating(\.rows) { rows, _ in
        for await row in rows {
          handed.note(row.id)
          begun.increment()
        }
        handed.note(-1)
      },
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    let names = (0..<100).map { "\($0)" }
    for name in names { await context.send(.requested(name)).settled() }
    #expect(synchronous.entries == ["none"] + names)
    #expect(queued.entries == names)
    context.send(.rowsChanged([7]))
    await begun.reaches(1)
    context.send(.rowsChanged([]))
    await context.quiet()
    #expect(handed.entries == [7, -1])
    running.stop()
    await running.ended()
    context.send(.requested("later"))
    #expect(synchronous.entries.count == 101)
  }
}
