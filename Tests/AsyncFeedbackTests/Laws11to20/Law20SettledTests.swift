import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Law 20: what an event caused has ended") struct Law20SettledTests {
  struct Fields: Sendable {
    var count = 0
    var done: [Int] = []
  }
  typealias Story = Rehearsal<Fields, Change<Fields>>

  /// Begins to wait until what a change of the count causes has ended, and notes when it has.
  private func settle(_ story: Story, count: Int) -> Journal<Int> {
    let log = Journal<Int>()
    let context = story.context
    story.perform {
      await context.send(.set(\.count, count)).settled()
      log.note(count)
    }
    return log
  }

  @Test(arguments: [Policy.queued, .overlapping(limit: 1), .latest(.afterCleanup)])
  func aRunThatWaitsForOthersIsYetToEnd(policy: Policy) {
    let gate = Gate()
    let story = Story(Fields()) { _ in
      Feedback(.onChanged(\.count), policy: policy) { state async in
        if state.count == 1 { await gate.passUncancelled() }
        return state.count == 0 ? nil : Change { [count = state.count] in $0.done.append(count) }
      }
    }
    story.run()
    story.set(\.count, 1)
    let log = settle(story, count: 2)
    #expect(log.isEmpty)
    #expect(story.state.done.isEmpty)
    gate.open()
    story.executor.runUntilIdle()
    #expect(log.entries == [2])
    #expect(story.state.done.last == 2)
  }

  @Test func aRunMayWaitForAnEventWhoseRunWaitsForIt() {
    let log = Journal<String>()
    let story = Story(Fields()) { _ in
      Feedback(.onChanged(\.count), policy: .queued) { state, send in
        guard state.count == 1 else { return }
        await send(.set(\.count, 2)).settled()
        log.note("settled")
      }
    }
    story.run()
    story.set(\.count, 1)
    #expect(log.entries == ["settled"])
  }

  @Test(arguments: [true, false])
  func whatABodySendsFromElsewhereIsPartOfWhatStartedIt(isOnAThread: Bool) async {
    let system = ChangeSystem<Fields> {
      Feedback(.onChanged(\.count)) { @concurrent state, send in
        guard (1..<200).contains(state.count) else { return }
        let next = Change<Fields>.set(\.count, state.count + 1)
        if isOnAThread { onOtherThread { send(next) } } else { send(next) }
      }
    }
    let context = Context(state: Fields(), system: system, executor: .background)
    let running = context.start()
    await context.send(.set(\.count, 1)).settled()
    #expect(await context.state.count == 200)
    running.stop()
    await running.ended()
  }

  @Test(arguments: [true, false])
  func aTriggerThatWaitsForItsPaceIsYetToEnd(isDebounced: Bool) {
    let story = Story(Fields()) { clock in
      let feedback = Feedback<ChangeSystem<Fields>>(.onChanged(\.count)) { state async in
        Change { [count = state.count] in $0.done.append(count) }
      }
      isDebounced
        ? feedback.debounced(for: .seconds(2), clock: clock)
        : feedback.throttled(for: .seconds(2), clock: clock)
    }
    story.run()
    let log = settle(story, count: 1)
    #expect(log.isEmpty)
    story.advance(by: 1)
    #expect(log.isEmpty)
    story.advance(by: 1)
    #expect(log.count == 1)
    #expect(story.state.done.last == 1)
  }

  @Test func aTriggerThatANewerOneReplacedHasEnded() {
    let story = Story(Fields()) { clock in
      Feedback(.onChanged(\.count)) { _ async in nil }.debounced(for: .seconds(2), clock: clock)
    }
    story.run()
    let first = settle(story, count: 1)
    let second = settle(story, count: 2)
    #expect(first.count == 1)
    #expect(second.isEmpty)
    story.advance(by: 2)
    #expect(second.count == 1)
  }

  @Test(arguments: [true, false])
  func aPacedBodyThatAnswersNothingLeavesQuietBehind(isDebounced: Bool) {
    let story = Story(Fields()) { clock in
      let feedback = Feedback<ChangeSystem<Fields>>(.onChanged(\.count)) { _ in nil }
      isDebounced
        ? feedback.debounced(for: .seconds(2), clock: clock)
        : feedback.throttled(for: .seconds(2), clock: clock)
    }
    story.run()
    story.set(\.count, 1)
    story.set(\.count, 2)
    let log = Journal<String>()
    let context = story.context
    story.perform {
      await context.quiet()
      log.note("quiet")
    }
    #expect(log.isEmpty)
    story.advance(by: 2)
    #expect(log.count == 1)
  }

  @MainActor @Test func aLoopThatIsStoppedBeforeItBeganLeavesQuietBehind() async {
    let context = Context(state: Fields(), system: ChangeSystem<Fields> {})
    let running = context.start()
    let isWaiting = Tally()
    let waiting = Task {
      isWaiting.increment()
      await context.quiet()
    }
    await isWaiting.reaches(1)
    running.stop()
    await running.ended()
    await waiting.value
  }
}
