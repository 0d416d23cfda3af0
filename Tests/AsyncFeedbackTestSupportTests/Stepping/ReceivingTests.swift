import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct ReceivingTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context(exhaustivity: Exhaustivity = .automatic) -> TestContext<Stepper> {
    failures.context(.init(), Stepper(clock: clock), clock: clock, exhaustivity: exhaustivity)
  }

  private var heads: [String] { failures.heads.map(withoutPlaces) }

  @Test func anEventIsReceivedByItsValue() async {
    let context = context()
    await context.run()
      .send(.loadTapped) { $0.isLoading = true }
      .advance(by: .seconds(1))
      .receive(.loaded([1, 2])) { state in
        state.isLoading = false
        state.items = [1, 2]
      }
      .receive(.noted("2 items")) { $0.note = "2 items" }
      .finish()
    #expect(failures.messages == [])
  }

  @Test func anEventIsReceivedByACondition() async {
    let context = context()
    await context.run().send(.loaded([7]))
      .receive(where: { if case .noted = $0 { true } else { false } }) { $0.note = "1 items" }
      .finish()
    #expect(failures.messages == [])
  }

  @Test func anEventIsReceivedByItsPayload() async {
    let context = context()
    await context.run().send(.loaded([7]))
      .receive({ if case .noted(let note) = $0 { note } else { nil } }) { state, note in
        state.note = note
      }
      .finish()
    #expect(failures.messages == [])
  }

  @Test("F11: another event than expected is one failure")
  func anotherEvent() async {
    let context = context()
    await context.run().send(.loaded([7]))
    let line: UInt = #line + 1
    await context.receive(.noted("2 items")) { $0.note = "2 items" }
    context.finish()
    #expect(
      heads == [
        """
        expected .noted("2 items"), and the next is .noted("1 items") from note (place), started by event #1.
        They differ in (expected → next):
          .noted: "2 items" → "1 items"
        Receive what came, or correct the feedback that answered. The event is taken in place of the \
        expected one.
        """
      ])
    #expect(failures.lines == [line])
    #expect(context.state.note == "1 items")
  }

  @Test("F11: what is different in a big event is shown by itself")
  func anotherPayload() async {
    let context = failures.context(
      .init(), Stepper(answers: Array(1...9), clock: clock), clock: clock)
    await context.run().send(.loadTapped) { $0.isLoading = true }.advance(by: .seconds(1))
      .receive(.loaded([1, 2, 3, 4, 0, 6, 7, 8, 9]))
      .skip()
      .finish()
    #expect(
      heads == [
        """
        expected .loaded([1, 2, 3, 4, 0, 6, 7, 8, 9]), and the next is \
        .loaded([1, 2, 3, 4, 5, 6, 7, 8, 9]) from load (place), started by event #1.
        They differ in (expected → next):
          .loaded[4]: 0 → 5
        Receive what came, or correct the feedback that answered. The event is taken in place of the \
        expected one.
        """
      ])
  }

  @Test("F11: the failure says when the expected event waits further back")
  func furtherBack() async {
    let context = failures.context(.init(), Pair(), clock: clock)
    await context.run().send(.both)
      .receive(.second) { $0.log = [2] }
      .finish()
    #expect(
      heads == [
        """
        expected .second, and the next is .first from one (place), started by event #1.
        The expected event waits as number 2, so it was answered later. Receive the one before it first, \
        use receive(anyOrder:) where the order is nobody's promise, or skip. All up to it are taken now.
        """
      ])
    #expect(context.state.log == [1, 2])
  }

  @Test func concurrentFeedbacksAreReceivedInAnyOrder() async {
    let context = failures.context(.init(), Pair(), clock: clock)
    await context.run().send(.both)
      .receive(anyOrder: .second, .first) { $0.log = [1, 2] }
      .finish()
    #expect(failures.messages == [])
  }

  @Test func inAnyOrderEachIsExpectedAsOftenAsItIsListed() async {
    let context = failures.context(.init(), Pair(), clock: clock)
    await context.run().send(.both)
      .receive(anyOrder: .first, .first)
      .finish()
    #expect(
      heads == [
        """
        expected .first, and the next is .second from two (place), started by event #1.
        Receive what came, or correct the feedback that answered. The event is taken in place of the \
        expected one.
        """
      ])
  }

  @Test func anEventThatDoesNotComeFailsAtOnceWhereNothingCouldBringIt() async {
    let context = context()
    await context.run().receive(.noted("a"))
    context.finish()
    #expect(
      heads == [
        """
        expected .noted("a"), and no event waits.
        Nothing is alive that could bring it: the state triggers no feedback that answers with it.
        """
      ])
  }

  @Test func anEventThatWaitsForAClockFailsAtOnce() async {
    let context = context()
    await context.run().send(.loadTapped).receive(.loaded([1, 2]))
    #expect(
      heads == [
        """
        expected .loaded([1, 2]), and no event waits.
        Something is asleep: advance its clock, if that is to bring the event.
        """
      ])
    #expect(failures.messages.first?.contains("until 1.0 seconds, in load") == true)
    await context.advance(by: .seconds(1)).settle()
    context.finish()
    #expect(failures.messages.count == 1)
  }

  @Test func anEventThatWasLetGoBeforeIsSaidToBeReduced() async {
    let context = context()
    await context.run().send(.loaded([7])).settle().receive(.noted("1 items"))
    context.finish()
    #expect(
      heads == [
        """
        expected .noted("1 items"), and no event waits.
        It was reduced before, as event #2, by a step that lets answers go. Receive it before that step, \
        or make the context with `exhaustivity: .on`, so that answers wait from the start.
        """
      ])
  }

  @Test func nothingIsReceivedWhereNothingWaits() async {
    let context = context()
    await context.run().send(.loadTapped).receiveNothing().advance(by: .seconds(1))
    await context.receiveNothing()
    #expect(
      heads == [
        """
        no event was expected, and one waits:
          .loaded([1, 2]) from load (place), started by event #1
        Receive or skip what has come, or correct the feedback that answered.
        """
      ])
    await context.skip(1).skip(1)
    context.finish()
    #expect(failures.messages.count == 1)
  }

  @Test func whatComesFromOutsideIsWaitedFor() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let context = failures.context(
      .init(),
      Sample(
        Feedback(.once, name: "listen") { _ async in
          let task = Task.detached { await stream.first { _ in true } ?? 0 }
          return .done(await task.value)
        }), limit: .seconds(60))
    let receiving = context.run()
    continuation.yield(3)
    await receiving.receive(.done(3)) { $0.done = [3] }
    context.finish()
    #expect(failures.messages == [])
  }

  /// Two feedbacks that answer one event.
  private struct Pair: SystemProtocol {
    struct State: Equatable {
      var count = 0
      var log: [Int] = []
    }

    enum Event: Equatable { case both, first, second }

    func reducer() -> Reducer {
      { state, event in
        switch event {
        case .both: state.count += 1
        case .first: state.log.append(1)
        case .second: state.log.append(2)
        }
      }
    }

    func feedbacks() -> [Feedback<Self>] {
      [
        Feedback(.onChanged(\.count), name: "one") { $0.count == 0 ? nil : .first },
        Feedback(.onChanged(\.count), name: "two") { $0.count == 0 ? nil : .second },
      ]
    }
  }
}
