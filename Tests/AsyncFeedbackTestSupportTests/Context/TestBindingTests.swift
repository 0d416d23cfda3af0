import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite struct TestBindingTests {
  private let echo = Feedback<Sample>(.onChanged(\.n), name: "echo") { state in
    state.n == 0 ? nil : .done(state.n)
  }

  @Test func aWriteKeepsWhatTheAnswersThatWaitedHaveChanged() async {
    let context = TestContext(state: .init(), system: Sample(echo))
    await context.run().send(.go(1))
    context.eventBinding.flag.wrappedValue = true
    await context.settle()
    #expect(context.state == .init(n: 1, flag: true, done: [1]))
    context.finish()
  }

  @Test func writesThatWaitForTheLoopChangeTheirMembersAlone() async {
    let context = TestContext(state: .init(), system: Sample())
    context.eventBinding.n.wrappedValue = 3
    #expect(context.state.n == 3)
    await context.send(.go(4))
    context.eventBinding.flag.wrappedValue = true
    #expect(context.state.flag)
    await context.run().settle()
    #expect(context.state == .init(n: 4, flag: true))
    context.finish()
  }

  @Test func aWriteToAPlaceInACollectionChangesThatPlaceAlone() async {
    let context = TestContext(state: .init(done: [1, 2]), system: Sample())
    context.eventBinding.done[0].wrappedValue = 7
    await context.send(.done(3))
    context.eventBinding.done[1].wrappedValue = 8
    await context.run().settle()
    #expect(context.state.done == [7, 8, 3])
    context.finish()
  }

  @Test func aSilentWriteBringsNoOtherWriteForward() async {
    let context = TestContext(state: .init(), system: Sample())
    await context.send(.flagNoted)
    context.eventBinding.flag.wrappedValue = true
    context.binding.n.wrappedValue = 3
    await context.run().settle()
    #expect(context.state == .init(n: 3, flag: true, flags: [false]))
    context.finish()
  }
}
