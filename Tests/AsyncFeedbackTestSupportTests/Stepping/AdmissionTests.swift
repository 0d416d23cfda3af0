import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// Steps that may not be taken: each is one failure at its own line, and does nothing.
@Suite(.unseeded) struct AdmissionTests {
  private let failures = Failures()
  private let clock = TestClock()

  private func context() -> TestContext<Stepper> {
    failures.context(.init(), Stepper(clock: clock), clock: clock)
  }

  @Test func aStepAfterTheEndIsAFailureThatNamesTheLineOfTheEnd() async {
    let context = context()
    let line: UInt = #line + 1
    context.run().finish()
    await context.send(.noted("a")) { $0.note = "a" }
    #expect(
      failures.heads == [
        """
        `send` came after `finish()`, which stopped the loop at line \(line).
        Take the step before, or start the loop anew with `run()`. The state can be read at any time.
        """
      ])
    #expect(failures.lines == [line + 1])
    #expect(context.state.note == nil)
  }

  @Test func everyStepAfterTheEndIs() async {
    let context = context()
    context.run().finish()
    let first: UInt = #line + 2
    var hasChecked = false
    await context.send(.ignored)
      .receive(.ignored)
      .receive(where: { _ in true })
      .receive({ $0 })
      .receive(anyOrder: .ignored)
      .receiveNothing()
      .skip()
      .write(\.ratio, 2)
      .settle()
      .check { _ in hasChecked = true }
      .suspend(while: \.isLoading)
      .suspend(while: true)
      .suspend(while: { _ in true })
      .advance(by: .seconds(1))
      .sleeping(id: "a")
      .sleeping(until: .init(offset: .seconds(1)))
      .alive()
      .answer("load", with: .ignored)
      .end("load")
      .fail("load", with: CancellationError())
      .skipRuns()
      .do {}
    #expect(failures.lines == Array(first..<first + 22))
    #expect(failures.heads.allSatisfy { $0.contains(" came after `finish()`, ") })
    #expect(!hasChecked)
    #expect(clock.now == .zero)
    context.eventBinding.ratio.wrappedValue = 3
    #expect(failures.heads.last?.hasPrefix("a write of `eventBinding` came after") == true)
    #expect(context.state == .init())
  }

  @Test func theStateCanBeReadAndASecondEndDoesNothing() async {
    let context = context()
    var output: [String] = []
    context.transcriptOutput = { output.append($0) }
    await context.run().send(.noted("a")).finish()
    context.finish()
    #expect(context.state.note == "a")
    #expect(failures.messages == [])
    #expect(output.count == 1)
  }

  @Test func aLoopThatStartsAnewTakesSteps() async {
    let context = context()
    context.run().finish()
    await context.run().send(.noted("a")) { $0.note = "a" }.finish()
    #expect(failures.messages == [])
  }

  @Test func aSecondStartIsAFailureAndTheLoopGoesOn() async {
    let context = context()
    let line: UInt = #line + 1
    context.run()
    context.run()
    #expect(
      failures.heads == [
        """
        `run()` was called although the loop runs, since line \(line).
        Call it once, or `finish()` before the next. The loop goes on.
        """
      ])
    #expect(failures.lines == [line + 1])
    await context.send(.noted("a")) { $0.note = "a" }.finish()
    #expect(failures.messages.count == 1)
  }

  @Test func timeDoesNotGoBack() async {
    let context = context()
    clock.advance(by: .seconds(3))
    await context.run()
      .send(.loaded([7])) { $0.items = [7] }
      .advance(by: .seconds(-1))
      .receive(.noted("1 items")) { $0.note = "1 items" }
      .finish()
    #expect(
      failures.heads == [
        """
        the clock was to be advanced by -1.0 seconds, and time does not go back.
        Advance by zero or more. Nothing has moved.
        """
      ])
    #expect(clock.now == .init(offset: .seconds(3)))
  }

  @Test func aContextThatWasMadeOutsideIsNotExplored() async {
    let context = TestContext(state: .init(), system: Stepper(clock: clock), clock: clock)
    let exploration = await exploreSchedules(5, reporter: failures.reporter()) {
      await context.run(fileID: "App/Tests.swift", line: 8, column: 3)
        .send(.loadTapped)
        .check { _ in Issue.record("a step that is not taken must look at nothing") }
      context.finish()
    }
    #expect(exploration.hasFailed)
    #expect(
      failures.messages == [
        """
        schedule 1 of 5 failed, that of seed 0.
        exploreSchedules(1, seed: 0) repeats it exactly.
        It fails, too, when all that is ready goes in the order it came:
        App/Tests.swift:8:3: the context of this step was made outside of the body that is explored, so no \
        schedule reaches it.
        Make it in the body, and all else that the test uses: each schedule begins anew.
        """
      ])
    #expect(context.state == .init())
    await context.run().send(.noted("a")).finish()
    #expect(context.state.note == "a")
  }
}
