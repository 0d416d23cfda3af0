import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Answers that are passed over, and such as have lost their lease while they waited.
@Suite struct SkippingTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context() -> TestContext<Stepper> {
    failures.context(.init(), Stepper(clock: clock), clock: clock)
  }

  private var heads: [String] { failures.heads.map(withoutPlaces) }

  @Test func skippingTakesWhatWaitsAndLeavesWhatFollows() async {
    let context = context()
    await context.run().send(.loadTapped) { $0.isLoading = true }.advance(by: .seconds(1)).skip()
    #expect(context.state.items == [1, 2])
    #expect(context.state.note == nil)
    await context.receive(.noted("2 items")) { $0.note = "2 items" }
    context.finish()
    #expect(failures.messages == [])
  }

  @Test func skippingMoreThanWaitsIsAFailure() async {
    let context = context()
    await context.run().send(.loaded([7])).skip(2)
    context.finish()
    #expect(
      heads == [
        """
        2 events were to be skipped, and 1 wait.
        Skip without a number what waits, or make the system answer first (advance its clock, say).
        """
      ])
    #expect(context.state.note == "1 items")
  }

  @Test func skippingTakesNoneThatFollowsOneThatIsDropped() async {
    let context = failures.context(.init(), Rivals(isNoting: true))
    await context.run().send(.started) { $0.isOpen = true }.skip(2)
      .receive(.noted) { $0.isNoted = true }
      .finish()
    #expect(failures.messages == [])
  }

  @Test func aMissTakesNoneThatFollowsOneThatIsDropped() async {
    let context = failures.context(.init(), Rivals(isNoting: true, second: .reopened))
    await context.run().send(.started) { $0.isOpen = true }
      .receive(.reopened)
      .receive(.noted) { $0.isNoted = true }
      .finish()
    #expect(heads.count == 1)
    #expect(heads.first?.hasPrefix("expected .reopened, and the next is .closed") == true)
  }

  @Test func anAnswerWhoseRunHasLostItsLeaseIsNotReceived() async {
    let context = failures.context(.init(), Rivals())
    await context.run().send(.started) { $0.isOpen = true }
      .receive(.closed) { $0.isOpen = false }
      .finish()
    #expect(failures.messages == [])
  }

  /// Two feedbacks of which the answer of one takes the other its lease.
  private struct Rivals: SystemProtocol {
    struct State: Equatable {
      var isOpen = false
      var isNoted = false
    }

    enum Event: Equatable { case started, closed, reopened, noted }

    var isNoting = false
    var second = Event.closed

    func reducer() -> Reducer {
      { state, event in
        if event == .noted { state.isNoted = true } else { state.isOpen = event != .closed }
      }
    }

    func feedbacks() -> [Feedback<Self>] {
      [
        Feedback(.while(\.isOpen), name: "one") { _ async in .closed },
        Feedback(.while(\.isOpen), name: "two") { [second] _ async in second },
        Feedback.on({ $0 == .closed ? true : nil }, name: "note") { [isNoting] _ in
          isNoting ? .noted : nil
        },
      ]
    }
  }

  @Test(arguments: [0, -1])
  func skippingNoneIsAFailure(count: Int) async {
    let context = context()
    await context.run().skip(count)
    context.finish()
    #expect(heads == ["\(count) events were to be skipped: say one or more, or no number for all."])
  }
}
