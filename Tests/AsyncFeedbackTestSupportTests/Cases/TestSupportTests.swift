import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Cases F: test support", .timeLimit(.minutes(10)), .unseeded)
struct TestSupportTests {
  typealias System = Sample

  private let failures = Failures()
  private let clock = TestClock()

  /// Answers a second after the flag was set.
  private var late: Feedback<System> {
    Feedback(.while(\.flag), name: "late") { [clock] _ async in
      try? await clock.sleep(for: .seconds(1))
      return .done(1)
    }
  }

  private func tick(_ number: Int, every seconds: Int) -> Feedback<System> {
    Feedback.every(.seconds(seconds), clock: clock, name: "tick \(number)") { .done(number) }
  }

  private func context(
    _ feedbacks: Feedback<System>..., limit: Duration = .seconds(5)
  ) -> TestContext<System> {
    failures.context(.init(), System(feedbacks), clock: clock, limit: limit)
  }

  @Test("F1: a thousand repetitions of a test take one course")
  func repetitions() async {
    for _ in 0..<1_000 {
      let test = TestSupportTests()
      let context = test.context(test.late, test.tick(2, every: 2))
      await context.run().send(.flag(true)).advance(by: .seconds(2)).finish()
      #expect(context.state.done == [1, 2])
      #expect(test.failures.messages == [])
    }
  }

  @Test("F2: what an event has started sleeps before the next line moves the clock")
  func advanceRightAfterTheSend() async {
    let context = context(late)
    await context.run().send(.flag(true)).advance(by: .seconds(1))
    #expect(context.state.done == [1])
    await context.send(.flag(false)).send(.flag(true))
    clock.advance(by: .seconds(1))
    await context.settle()
    #expect(context.state.done == [1, 1])
    context.finish()
    #expect(failures.messages == [])
  }

  @Test("F4: one advance ticks for each period, interleaved by deadline and then by registration")
  func severalTicksInOneAdvance() async {
    let context = context(tick(1, every: 1), tick(2, every: 2))
    await context.run().advance(by: .seconds(3)).finish()
    // At the second second, the timer of two seconds has been asleep for longer.
    #expect(context.state.done == [1, 2, 1, 1])
    #expect(failures.messages == [])
  }

  @Test("F14: a wait for what never comes fails within its limit, and says what there is")
  func waitInVain() async {
    let context = context(late, limit: .milliseconds(100))
    await context.run().send(.flag(true)).suspend(while: \.flag)
    let line: UInt = #line - 1
    #expect(failures.lines == [line])
    let message = failures.messages.first ?? ""
    #expect(message.contains("flag"))
    #expect(message.contains("still held after 0.1 seconds"))
    #expect(message.contains("state: "))
    #expect(message.contains("late ("))
    #expect(message.contains("1.0 seconds"))
    #expect(message.contains("transcript:"))
    await context.send(.flag(false)).settle()
    context.finish()
    #expect(failures.messages.count == 1)
  }
}

/// The same system, live and in a test.
@Suite("Cases F: live and test contexts") struct LiveOrderTests {
  /// What comes in, and what comes of it: nested answers of every kind of body.
  private struct Echo: SystemProtocol {
    struct State: Equatable {
      var depth = 0
      var rows: [Row] = []
    }

    struct Row: Identifiable, Equatable { let id: Int }

    enum Event: Equatable {
      case went(Int)
      case answered(String, Int)
    }

    let log = Log<Event>()

    func reducer() -> Reducer {
      { [log] state, event in
        log.append(event)
        switch event {
        case .went(let depth):
          state.depth = depth
          state.rows = (0..<depth).map { Row(id: $0) }
        case .answered(_, let depth): state.depth = Swift.max(state.depth, depth)
        }
      }
    }

    func feedbacks() -> [Feedback<Self>] {
      Feedback(.onChanged(\.depth), policy: .overlapping, name: "at once") { state in
        state.depth.isMultiple(of: 2) ? nil : .answered("at once", state.depth + 1)
      }
      Feedback(.onChanged(\.depth), policy: .queued, name: "run") { state async in
        .answered("run", state.depth)
      }
      Feedback(.onChanged(\.depth), policy: .overlapping, name: "sender") { state, send async in
        for number in 0..<2 { send(.answered("sender \(number)", state.depth)) }
      }
      Feedback.each(\.rows, name: "row") { row async in .answered("row \(row.id)", 0) }
      Feedback.on(Self.depthOfRun) { depth in depth == 3 ? .answered("on", 5) : nil }
    }

    @Sendable private static func depthOfRun(_ event: Event) -> Int? {
      if case .answered("run", let depth) = event { depth } else { nil }
    }
  }

  private static let sent = [1, 2, 4, 3, 0, 5]

  private func live(_ executor: ContextExecutor) async -> [Echo.Event] {
    let system = Echo()
    let context = Context(state: .init(), system: system, executor: executor)
    let running = context.start()
    await context.quiet()
    for number in Self.sent { await context.send(.went(number)).settled() }
    running.stop()
    await running.ended()
    return system.log.entries
  }

  @Test("F6: a test context handles the same events in the same order as a live one")
  func sameOrder() async {
    let system = Echo()
    let context = TestContext(state: .init(), system: system)
    await context.run().settle()
    for number in Self.sent { await context.send(.went(number)).settle() }
    context.finish()
    let rehearsed = system.log.entries
    #expect(rehearsed.count > 3 * Self.sent.count)
    #expect(await live(.main) == rehearsed)
    #expect(await live(.background) == rehearsed)
  }
}
