import AsyncFeedbackTestSupport
import Testing

@testable import AsyncFeedback

@Suite("Law 17: bounded buffers only") struct Law17BoundedBuffersTests {
  typealias System = ChangeSystem<Int>

  private func drops(_ monitor: JournalMonitor<System>) -> Int {
    monitor.journal.entries.count { record in
      if case .triggerDropped = record { true } else { false }
    }
  }

  private func ignored(_ monitor: JournalMonitor<System>) -> Int {
    monitor.journal.entries.count { record in
      if case .triggerIgnored = record { true } else { false }
    }
  }

  @Test(arguments: [
    (Policy.queued(waiting: 3), 1 + 3),
    (.overlapping(limit: 2, waiting: 4), 2 + 4),
    (.queued, 1 + 1_000),
    (.overlapping(limit: 2), 2 + 1_000),
    (.queued(waiting: 0), 1),
  ])
  func triggersBeyondTheBoundAreDroppedAndCounted(_ policy: Policy, _ kept: Int) {
    let monitor = JournalMonitor<System>()
    let log = Journal<Int>()
    let rehearsal = Rehearsal<Int, Change<Int>>(0, monitor: monitor) { clock in
      Feedback(.onChanged(\.self), policy: policy) { number in
        log.note(number)
        try? await clock.sleep(for: .seconds(1))
        return nil
      }
    }
    rehearsal.run()
    for number in 1..<1_500 { rehearsal.context.send(.set(\.self, number)) }
    rehearsal.executor.runUntilIdle()
    #expect(drops(monitor) == 1_500 - kept)
    rehearsal.advance(by: 2_000)
    #expect(log.entries == Array(0..<kept), "the oldest are kept, in their order")
  }

  @Test func aTriggerThatADroppingFeedbackIgnoresIsVisible() {
    let monitor = JournalMonitor<System>()
    let rehearsal = Rehearsal<Int, Change<Int>>(0, monitor: monitor) { clock in
      Feedback(.onChanged(\.self), policy: .dropping) { _ in
        try? await clock.sleep(for: .seconds(1))
        return nil
      }
    }
    rehearsal.run()
    for number in 1...5 { rehearsal.set(\.self, number) }
    #expect(ignored(monitor) == 5)
    rehearsal.advance(by: 1)
    rehearsal.set(\.self, 6)
    #expect(ignored(monitor) == 5)
  }

  @Test func aConsumerOfValuesThatIsBusyKeepsOnlyTheNewest() {
    let received = Journal<Int>()
    let signal = Signal()
    let rehearsal = Rehearsal<Int, Change<Int>>(0) { _ in }
    rehearsal.run()
    let context = rehearsal.context
    let consumer = rehearsal.perform {
      for await value in context.values(of: \.self) {
        received.note(value)
        if value == 0 { _ = await signal.wait() }
      }
    }
    for number in 1...1_000 { rehearsal.set(\.self, number) }
    #expect(received.entries == [0])
    rehearsal.perform { signal.give() }
    rehearsal.executor.runUntilIdle()
    #expect(received.entries == [0, 1_000])
    consumer.cancel()
    rehearsal.executor.runUntilIdle()
  }

  @Test func aRunThatIsHandedLaterValuesGetsOnlyTheNewest() {
    struct Row: Identifiable, Sendable { let id = 1, value: Int }
    let received = Journal<Int>()
    let rehearsal = Rehearsal<[Row], Change<[Row]>>([Row(value: 0)]) { clock in
      Feedback.eachUpdating(\.self) { values, _ in
        for await row in values {
          received.note(row.value)
          try? await clock.sleep(for: .seconds(1))
        }
      }
    }
    rehearsal.run()
    for value in 1...100 { rehearsal.set(\.self, [Row(value: value)]) }
    rehearsal.advance(by: 1)
    #expect(received.entries == [0, 100])
  }

  /// Never suspends, so nothing but the library holds it back.
  struct Eager: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let count: Int
    let produced: Journal<Int>
    var next = 0

    func makeAsyncIterator() -> Self { self }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      guard next < count else { return nil }
      next += 1
      produced.note(next)
      return next
    }

    mutating func next() async -> Int? { await next(isolation: nil) }
  }

  @Test func aFastSequenceRunsNoFurtherAheadThanItsBound() {
    let produced = Journal<Int>()
    let ahead = Journal<Int>()
    let rehearsal = Rehearsal<Int, Int>(
      0,
      reduce: { state, number in
        state = number
        ahead.note(produced.count - number)
      }
    ) { _ in
      Feedback.stream {
        Eager(count: 10_000, produced: produced)
      } event: {
        $0
      }
    }
    rehearsal.run()
    #expect(rehearsal.state == 10_000)
    #expect(rehearsal.events.entries == Array(1...10_000))
    #expect(ahead.entries.max() ?? 0 <= 1_000, "elements that waited to be reduced")
  }

  @Test func outsideEventsGetInWhileAFastSequenceRuns() {
    let produced = Journal<Int>()
    let rehearsal = Rehearsal<Int, Int>(0, reduce: { state, number in state = number }) { _ in
      Feedback.on({ $0 == 100 ? $0 : nil }) { _, send in send(-1) }
      Feedback.stream {
        Eager(count: 10_000, produced: produced)
      } event: {
        $0
      }
    }
    rehearsal.run()
    let place = rehearsal.events.entries.firstIndex(of: -1)
    #expect(place ?? .max <= 3_000, "the answer waits for a bounded number of elements")
  }

  /// Counts up and never suspends.
  private struct Endless: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
      var number = 0
      mutating func next() async -> Int? {
        number += 1
        return number
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator() }
  }

  @Test(arguments: [false, true])
  func aSequenceThatNeverSuspendsGivesWayWhateverBecomesOfItsElements(isPaced: Bool) async {
    let context = Context(
      state: 1,
      system: System {
        let feedback = Feedback<System>.stream({ $0 == 1 ? 1 : nil }) { _ in
          Endless()
        } event: { number in
          isPaced || number == 10 ? .set(\.self, 2) : nil
        }
        isPaced ? feedback.debounced(for: .seconds(1_000)) : feedback
      }, executor: .background)
    let running = context.start()
    // Not before the sequence is going: what is sent then has to get in.
    if isPaced { await context.send(Change { _ in }).value }
    if isPaced { context.send(.set(\.self, 2)) }
    let twos = context.values(of: \.self).filter { $0 == 2 }
    #expect(await twos.first { _ in true } == 2)
    running.stop()
    await running.ended()
  }
}
