import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Law 20: quiet") struct Law20QuietTests {
  struct Fields: Sendable {
    var count = 0
    var key: Int?
  }

  /// Begins to wait for quiet, and notes when it comes.
  private func wait(_ rehearsal: Rehearsal<Fields, Change<Fields>>) -> Journal<String> {
    let log = Journal<String>()
    let context = rehearsal.context
    rehearsal.perform {
      await context.quiet()
      log.note("quiet")
    }
    return log
  }

  @Test func aContextWithoutALoopIsQuietWhileNothingWaits() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { _ in }
    #expect(wait(rehearsal).count == 1)
    rehearsal.set(\.count, 1)
    let log = wait(rehearsal)
    #expect(log.isEmpty, "an event waits for a loop")
    rehearsal.run()
    #expect(log.count == 1)
  }

  @Test func aBodyThatGoesOnIsNotQuiet() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.onChanged(\.count)) { _ in
        try? await clock.sleep(for: .seconds(1))
        return nil
      }
    }
    rehearsal.run()
    let log = wait(rehearsal)
    #expect(log.isEmpty)
    rehearsal.advance(by: 1)
    #expect(log.count == 1)
  }

  @Test func aCancelledBodyIsNotQuietBeforeItHasEnded() {
    let signal = Signal()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(key: 1)) { _ in
      Feedback.request(\.key) { _ in
        await Task { _ = await signal.wait() }.value
        return nil
      }
    }
    rehearsal.run()
    rehearsal.set(\.key, nil)
    let log = wait(rehearsal)
    #expect(log.isEmpty)
  }

  @Test func tickersAndStreamsThatWaitAreQuiet() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.every(.seconds(1), clock: clock) { nil }
      Feedback.stream {
        AsyncStream<Int> { _ in }
      } event: { _ in
        nil
      }
    }
    rehearsal.run()
    #expect(wait(rehearsal).count == 1)
  }

  @Test func theBodyOfATickerIsNotQuiet() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.every(.seconds(2), clock: clock) {
        try? await clock.sleep(for: .seconds(1))
        return nil
      }
    }
    rehearsal.run()
    rehearsal.advance(by: 2)
    let log = wait(rehearsal)
    #expect(log.isEmpty)
    rehearsal.advance(by: 1)
    #expect(log.count == 1)
  }

  @Test func aRetrysBackoffIsQuiet() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.once, catch: { _ in nil }) { _ in throw Failure() }
        .retrying(limit: 2, backoff: .constant(.seconds(1)), clock: clock)
    }
    rehearsal.run()
    #expect(wait(rehearsal).count == 1)
  }

  @Test func debounceAndThrottleThatHoldSomethingBackAreBusy() {
    for isDebounced in [true, false] {
      let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
        let feedback = Feedback<ChangeSystem<Fields>>(.onChanged(\.count)) { _ async in nil }
        isDebounced
          ? feedback.debounced(for: .seconds(2), clock: clock)
          : feedback.throttled(for: .seconds(2), clock: clock)
      }
      rehearsal.run()
      rehearsal.set(\.count, 1)
      let log = wait(rehearsal)
      #expect(log.isEmpty)
      rehearsal.advance(by: 1)
      #expect(log.isEmpty)
      rehearsal.advance(by: 1)
      #expect(log.count == 1)
    }
  }

  @Test func aThrottleWithAnOpenWindowThatHoldsNothingIsQuiet() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.onChanged(\.count)) { _ async in nil }.throttled(for: .seconds(2), clock: clock)
    }
    rehearsal.run()
    #expect(wait(rehearsal).count == 1)
  }

  @Test func aDebouncedElementOfAStreamIsBusy() {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.stream {
        stream
      } event: {
        .set(\.count, $0)
      }
      .debounced(for: .seconds(1), clock: clock)
    }
    rehearsal.run()
    #expect(wait(rehearsal).count == 1)
    rehearsal.perform { continuation.yield(5) }
    let log = wait(rehearsal)
    #expect(log.isEmpty)
    rehearsal.advance(by: 1)
    #expect(log.count == 1)
    #expect(rehearsal.state.count == 5)
  }

  @Test func everythingThatAnEventCausedHasEndedWhenItIsQuiet() async {
    let context = Context(
      state: 0,
      system: ChangeSystem<Int> {
        Feedback(.onChanged(\.self)) { number async in
          await Task { @MainActor in }.value
          return number < 20 ? Change { $0 += 1 } : nil
        }
      }, executor: .background)
    let running = context.start()
    await context.quiet()
    #expect(await context.state == 20)
    context.send(.set(\.self, 10))
    await context.quiet()
    #expect(await context.state == 20)
    running.stop()
    await running.ended()
    await context.quiet()
  }

  @Test func aWaitEndsWithItsTaskAndWithTheContext() async {
    let waiting = Signal()
    let system = ChangeSystem<Int> {
      Feedback(.once) { _ in
        waiting.give()
        try? await ContinuousClock().sleep(for: .seconds(1_000))
        return nil
      }
    }
    let context = Context(state: 0, system: system)
    let running = context.start()
    _ = await waiting.wait()
    let task = Task { await context.quiet() }
    task.cancel()
    await task.value
    running.stop()
    await running.ended()
  }
}
