import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Work that never comes to rest: each of these tests would hang without a bound.
///
/// The bodies here poll because that is what the steps have to get over. No test waits so.
@Suite struct RestlessTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context(_ feedbacks: Feedback<Sample>...) -> TestContext<Sample> {
    failures.context(.init(), Sample(feedbacks), clock: clock, limit: .milliseconds(100))
  }

  private static func isPolledByYielding() async {
    while !Task.isCancelled { await Task.yield() }
  }

  /// Never ends: nobody has a reason to end it.
  private static func isPolledForEver() async {
    let reasons = Log<Never>()
    while reasons.entries.isEmpty { await Task.yield() }
  }

  private let poll = Feedback<Sample>(.while(\.flag), name: "poll") { _ async in
    await isPolledByYielding()
    return nil
  }

  private var pollsOnceItIsCancelled: Feedback<Sample> {
    Feedback(.once, name: "late") { [clock] _ async in
      try? await clock.sleep(for: .seconds(1))
      await Self.isPolledForEver()
      return nil
    }
  }

  private func expectOneFailure(naming name: String) {
    #expect(failures.heads.count == 1)
    #expect(failures.heads.first?.contains("did not come to rest") == true)
    #expect(failures.heads.first?.contains("\(name) (") == true)
  }

  @Test func aBodyThatPollsByYieldingFailsTheStepThatMeetsIt() async {
    let context = context(poll)
    await context.run().send(.flag(true))
    expectOneFailure(naming: "poll")
    #expect(failures.lines == [#line - 2])
    #expect(failures.messages.first?.contains("transcript:") == true)
    #expect(failures.messages.first?.contains("flag(true)") == true)
    #expect(!context.context.isRunning)
    await context.settle().advance(by: .seconds(1))
    context.finish()
    #expect(failures.heads.count == 1)
  }

  @Test func theFailureSaysWhatToDo() async {
    let context = context(poll)
    await context.run().send(.flag(true))
    #expect(
      failures.heads.map(withoutPlaces) == [
        """
        the system did not come to rest within 0.1 seconds: always ready again is
          poll (place), started by event #1
        A step ends when nothing is ready any more. Let a body wait for what it waits for (a stream, a \
        clock, a callback) and not look again and again, and let it end when it is cancelled. The loop \
        is stopped.
        """
      ])
  }

  @Test func aWaitThatFollowsEndsToo() async {
    let context = context(poll)
    await context.run().send(.flag(true)).suspend(while: true)
    #expect(failures.heads.count == 1)
  }

  @Test func onlyTheRunThatIsAlwaysReadyIsNamed() async {
    let context = context(
      Feedback(.once, name: "asleep") { [clock] _ async in
        try? await clock.sleep(for: .seconds(1))
        return nil
      },
      poll,
      Feedback(.once, name: "elsewhere") { _ async in
        for await _ in AsyncStream<Int>.makeStream().stream {}
        return nil
      })
    await context.run().send(.flag(true))
    expectOneFailure(naming: "poll")
    #expect(failures.heads.first?.contains("asleep (") == false)
    #expect(failures.heads.first?.contains("elsewhere (") == false)
  }

  @Test func aBodyThatIgnoresCancellationHoldsUpNoLaterStep() async {
    var context: TestContext<Sample>? = context(
      Feedback(.while(\.flag), name: "stubborn") { _ async in
        await Self.isPolledForEver()
        return nil
      })
    await context?.run().send(.flag(true))
    expectOneFailure(naming: "stubborn")
    for _ in 0..<10 {
      await context?.settle().suspend(while: true).advance(by: .seconds(1))
      clock.advance(by: .seconds(1))
      context?.eventBinding.n.wrappedValue += 1
    }
    context?.finish()
    context = nil
    #expect(failures.heads.count == 1)
  }

  @Test func aBodyThatPollsByTheMainActorFailsToo() async {
    let context = context(
      Feedback(.while(\.flag), name: "hopper") { _ async in
        while !Task.isCancelled { await MainActor.run {} }
        return nil
      })
    await context.run().send(.flag(true))
    expectOneFailure(naming: "hopper")
    await context.settle()
    context.finish()
    #expect(failures.heads.count == 1)
  }

  @Test func aChildTaskThatNeverEndsNamesTheRunsThatAreGoing() async {
    let context = context(
      Feedback(.once, name: "caller") { _ async in
        await withTaskGroup { group in
          group.addTask { await Self.isPolledByYielding() }
        }
        return nil
      })
    context.run()
    expectOneFailure(naming: "caller")
  }

  @Test func eventsWithoutEndFailToo() async {
    let context = context(
      Feedback(.while(\.flag), name: "sender") { _, send async in
        while !Task.isCancelled {
          send(.go(1))
          await Task.yield()
        }
      })
    await context.run().send(.flag(true)).settle()
    expectOneFailure(naming: "sender")
    // Of all that waits by then, the failure lists what somebody will read.
    let lines = failures.messages.first?.split(separator: "\n") ?? []
    #expect(lines.filter { $0.hasPrefix("  #") || $0.contains("go(1)") }.count < 100)
    #expect(lines.contains { $0.hasPrefix("  … and ") && $0.hasSuffix(" more") })
  }

  @Test func theStartOfTheLoopFails() {
    let context = context(
      Feedback(.once, name: "first") { _ async in
        await Self.isPolledByYielding()
        return nil
      })
    context.run()
    expectOneFailure(naming: "first")
    context.finish()
    #expect(failures.heads.count == 1)
  }

  @Test func afterAnAdvanceOfTheClockTheNextStepFails() async {
    let context = context(
      Feedback(.once, name: "woken") { [clock] _ async in
        try? await clock.sleep(for: .seconds(1))
        await Self.isPolledByYielding()
        return nil
      })
    await context.run().settle()
    clock.advance(by: .seconds(3))
    #expect(failures.heads.isEmpty)
    await context.settle()
    expectOneFailure(naming: "woken")
  }

  @Test func aBodyThatPollsOnceItIsCancelledFailsTheEnd() async {
    let context = context(pollsOnceItIsCancelled)
    await context.run().settle()
    context.finish()
    #expect(failures.heads.count == 2)
    #expect(failures.heads.first?.contains("the test finished while a run was going") == true)
    #expect(failures.heads.last?.contains("late (") == true)
  }

  @Test func aContextThatGoesWithSuchABodyFails() async {
    var context: TestContext<Sample>? = context(pollsOnceItIsCancelled)
    await context?.run().settle()
    context = nil
    expectOneFailure(naming: "late")
  }
}
