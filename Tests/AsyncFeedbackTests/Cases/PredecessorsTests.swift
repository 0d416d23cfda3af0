import AsyncFeedback
import AsyncFeedbackTestSupport
import Observation
import Testing

// O8 needs a module of its own: AsyncFeedbackRetroactiveTests.
@Suite("Faults of the predecessors") struct PredecessorsTests {
  struct Fields: Sendable {
    var x = 0
    var y = 0
    var log: [String] = []
  }

  @Test("O1: a slow feedback does not hold up a later one")
  func o1() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.onChanged(\.x)) { state in
        guard state.x > 0 else { return nil }
        try? await clock.sleep(for: .seconds(10))
        return Change { $0.log.append("x") }
      }
      Feedback(.onChanged(\.y)) { state in
        state.y > 0 ? Change { $0.log.append("y") } : nil
      }
      Feedback(.onChanged(\.y)) { state async in
        state.y > 0 ? Change { $0.log.append("async y") } : nil
      }
    }
    rehearsal.run()
    rehearsal.set(\.x, 1)
    rehearsal.set(\.y, 1)
    #expect(rehearsal.state.log == ["y", "async y"])
    rehearsal.advance(by: 10)
    #expect(rehearsal.state.log == ["y", "async y", "x"])
  }

  @Test("O2: a feedback of a loop that was cancelled does not go on")
  func o2() async {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.onChanged(\.x)) { _ in
        do {
          try await clock.sleep(for: .seconds(10))
          log.note("went on")
        } catch {
          log.note("cancelled")
        }
        return Change { $0.log.append("late") }
      }
    }
    let loop = rehearsal.run()
    rehearsal.stop(loop)
    #expect(log.entries == ["cancelled"])
    await loop.value
    rehearsal.advance(by: 100)
    #expect(log.entries == ["cancelled"])
    #expect(rehearsal.state.log == [])
    #expect(!rehearsal.context.isRunning)
  }

  @MainActor @Test("O3: a thousand writes and sends in one stretch are a gapless chain")
  func o3() async {
    let monitor = JournalMonitor<ChangeSystem<Fields>>()
    let context = Context(
      state: Fields(),
      system: ChangeSystem<Fields> {
        Feedback(.onChanged(\.x)) { _ async in Change { $0.log.append("seen") } }
      }, monitor: monitor)
    let running = context.start()
    await context.quiet()
    monitor.journal.clear()
    stretch(on: context)
    #expect(context.x == 500)
    #expect(context.y == (1...500).reduce(0, +))
    await context.quiet()
    expectGapless(monitor, count: 1_000)
    running.stop()
  }

  @MainActor @Test("O3: a stretch while the loop is stopped, and one in the middle of a transition")
  func o3Queued() async {
    let monitor = JournalMonitor<ChangeSystem<Fields>>()
    let context = Context(state: Fields(), system: ChangeSystem<Fields> {}, monitor: monitor)
    stretch(on: context)
    #expect(context.x == 500)
    let running = context.start()
    await context.quiet()
    #expect(context.y == (1...500).reduce(0, +))
    expectGapless(monitor, count: 1_000)
    monitor.journal.clear()
    withObservationTracking {
      _ = context.log
    } onChange: {
      MainActor.assumeIsolated { stretch(on: context) }
    }
    context.send(Change { $0.log.append("go") })
    await context.quiet()
    #expect(context.x == 1_000)
    #expect(context.y == (1...1_000).reduce(0, +))
    expectGapless(monitor, count: 1_001)
    running.stop()
  }

  /// Writes and sends in turn, in one synchronous stretch.
  @MainActor private func stretch(on context: Context<ChangeSystem<Fields>>) {
    for _ in 0..<500 {
      context.binding.x.wrappedValue = context.x + 1
      context.send(Change { $0.y += $0.x })
    }
  }

  private func expectGapless(_ monitor: JournalMonitor<ChangeSystem<Fields>>, count: Int) {
    let transitions = monitor.journal.entries.compactMap { record in
      if case .transition(_, let old, let new) = record { (old, new) } else { nil }
    }
    #expect(transitions.count >= count)
    #expect(
      zip(transitions, transitions.dropFirst()).allSatisfy { before, after in
        before.1.x == after.0.x && before.1.y == after.0.y && before.1.log == after.0.log
      })
    // A write adds one to `x` and touches nothing else; an event never touches `x`.
    #expect(transitions.allSatisfy { $0.1.x - $0.0.x <= 1 && $0.1.x >= $0.0.x })
  }

  @Test("O4: two sleeps under one id both wake")
  func o4() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.once) { _ in
        try? await clock.sleep(id: "same", for: .seconds(1))
        return Change { $0.log.append("first") }
      }
      Feedback(.once) { _ in
        try? await clock.sleep(id: "same", for: .seconds(2))
        return Change { $0.log.append("second") }
      }
    }
    rehearsal.run()
    rehearsal.advance(by: 2)
    #expect(rehearsal.state.log == ["first", "second"])
  }

  @Test("O4: sleepers of a clock that is released throw")
  func o4Released() async throws {
    let clock = Lock<TestClock?>(TestClock())
    let sleeper = Task {
      // The sleeper holds the clock no longer than it takes to fall asleep.
      try await clock.withLock { $0 }?.sleep(for: .seconds(1))
    }
    _ = try await clock.withLock { $0 }?.wait(limit: .seconds(60)) { $0.count == 1 }
    clock.withLock { $0 = nil }
    await #expect(throws: TestClockError.self) { try await sleeper.value }
  }
}
