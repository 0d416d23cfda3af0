import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What a synchronous `finish()` says of runs that have gone elsewhere: always the same.
@Suite struct FinishingTests {
  private let failures = Failures()

  private static let hop = Feedback<Sample>(.once, name: "hop") { _ async in
    await MainActor.run {}
    return .done(1)
  }

  private static func listen(to stream: AsyncStream<Int>) -> Feedback<Sample> {
    Feedback(.once, name: "listen") { _ async in
      for await _ in stream {}
      return .done(1)
    }
  }

  private func run(_ feedback: Feedback<Sample>) -> TestContext<Sample> {
    failures.context(.init(), Sample(feedback)).run()
  }

  private func expectFailure(of name: String) {
    #expect(failures.heads.count == 1)
    #expect(failures.heads.first?.contains("\(name) (") == true)
    #expect(failures.heads.first?.contains("main actor") == true)
    #expect(failures.heads.first?.contains("`await` one that does, such as `settle()`") == true)
  }

  @Test func aRunOnTheMainActorIsGoing() {
    let context = run(Self.hop)
    context.finish()
    expectFailure(of: "hop")
  }

  @MainActor @Test func aRunOnTheMainActorIsGoingInATestOfTheMainActor() {
    let context = run(Self.hop)
    context.finish()
    expectFailure(of: "hop")
  }

  @Test func aRunThatHasComeBackFromTheMainActorIsGoingUntilAStepIsAwaited() async {
    let context = run(Self.hop)
    await Task { @MainActor in }.value
    context.finish()
    expectFailure(of: "hop")
  }

  @Test func afterAStepThatIsAwaitedItHasEnded() async {
    let context = run(Self.hop)
    await context.settle()
    context.finish()
    #expect(failures.messages == [])
    #expect(context.state.done == [1])
  }

  @Test func whatTheTestItselfMakesReadyIsSeen() {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let context = run(Self.listen(to: stream))
    continuation.finish()
    context.finish()
    #expect(failures.messages == [])
    #expect(context.state.done == [1])
  }

  @Test func whatAnotherTaskMakesReadyIsNot() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let context = run(Self.listen(to: stream))
    await Task.detached { continuation.finish() }.value
    context.finish()
    expectFailure(of: "listen")
  }

  @Test func aWriteOfABindingLeavesItWhereItIsToo() async {
    let context = run(Self.hop)
    await Task { @MainActor in }.value
    context.eventBinding.n.wrappedValue = 3
    #expect(context.state == .init(n: 3))
    await context.settle()
    #expect(context.state == .init(n: 3, done: [1]))
    context.finish()
    #expect(failures.messages == [])
  }

  @Test func outsideOfAnyTaskTheThreadTells() {
    let failures = failures
    onAnotherThread {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let context = run(Self.listen(to: stream))
      continuation.finish()
      context.finish()
    }
    #expect(failures.messages == [])
  }

  @Test func whatWasSentToALoopThatNeverRanIsAFailure() async {
    let context = failures.context(Sample.State(), Sample())
    await context.send(.done(1))
    context.finish()
    let line = #line - 2
    #expect(
      failures.heads == [
        """
        the loop has never run, so nobody has reduced what was sent:
          .done(1), sent at AsyncFeedbackTestSupportTests/FinishingTests.swift:\(line)
        Call `run()` first.
        """
      ])
  }
}
