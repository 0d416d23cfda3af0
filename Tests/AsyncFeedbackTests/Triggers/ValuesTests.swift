import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Values of a context") struct ValuesTests {
  struct Fields: Sendable {
    var count = 0
    var other = 0
    var opaque = Opaque()
  }

  struct Opaque: Sendable { var number = 0 }

  private func start(
    _ executor: ContextExecutor
  ) async -> (Context<ChangeSystem<Fields>>, Running) {
    let context = Context(
      state: Fields(), system: ChangeSystem<Fields> {}, executor: executor)
    let running = context.start()
    await context.quiet()
    return (context, running)
  }

  @Test func thePresentValueComesFirstAndThenEachChange() async {
    let (context, running) = await start(.background)
    var values = context.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    await context.send(.set(\.other, 1)).value
    for count in 1...10 {
      await context.send(.set(\.count, count)).value
      #expect(await values.next() == count)
    }
    running.stop()
  }

  @Test func aValueWithoutEqualityIsTold() async {
    let (context, running) = await start(.background)
    var values = context.values(of: \.opaque).makeAsyncIterator()
    #expect(await values.next()?.number == 0)
    await context.send(Change { $0.opaque = $0.opaque }).value
    await context.send(Change { $0.opaque.number = 1 }).value
    #expect(await values.next()?.number == 1)
    running.stop()
  }

  @Test func eachConsumerSeesEveryValueItHasTimeFor() async {
    let (context, running) = await start(.background)
    let sequence = context.values(of: \.count)
    var first = sequence.makeAsyncIterator()
    var second = sequence.makeAsyncIterator()
    #expect(await first.next() == 0)
    #expect(await second.next() == 0)
    await context.send(.set(\.count, 1)).value
    #expect(await first.next() == 1)
    await context.send(.set(\.count, 2)).value
    #expect(await first.next() == 2)
    #expect(await second.next() == 2, "the one that was busy gets the newest")
    running.stop()
  }

  @Test func theValuesEndWithTheContext() async {
    var context: Context<ChangeSystem<Fields>>? = Context(
      state: Fields(), system: ChangeSystem<Fields> {}, executor: .background)
    let sequence = context?.values(of: \.count)
    let received = Signal()
    let consumer = Task {
      var count = 0
      guard let sequence else { return count }
      for await _ in sequence {
        count += 1
        received.give()
      }
      return count
    }
    _ = await received.wait()
    weak let weakContext = context
    context = nil
    #expect(await consumer.value == 1)
    #expect(weakContext == nil)
  }

  @Test func theValuesEndWithTheirTask() async {
    let (context, running) = await start(.background)
    let received = Signal()
    let consumer = Task {
      for await _ in context.values(of: \.count) { received.give() }
      return Task.isCancelled
    }
    _ = await received.wait()
    consumer.cancel()
    #expect(await consumer.value)
    running.stop()
  }

  @MainActor @Test func aMainActorConsumerSeesTheWritesOfABinding() async {
    let (context, running) = await start(.main)
    var values = context.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    context.binding.count.wrappedValue = 5
    #expect(await values.next() == 5)
    running.stop()
  }

  // MARK: Sending and waiting

  @MainActor @Test func aSendWaitsWhileItsConditionHolds() async {
    let signal = Signal()
    let context = Context(
      state: Fields(),
      system: ChangeSystem<Fields> {
        Feedback(.onChanged(\.count)) { state in
          guard state.count == 1 else { return nil }
          await Task { _ = await signal.wait() }.value
          return .set(\.other, 7)
        }
      })
    let running = context.start()
    await context.quiet()
    let waiting = Task {
      await context.send(.set(\.count, 1), suspendingWhile: context.other == 0)
      return context.other
    }
    signal.give()
    #expect(await waiting.value == 7)
    await context.send(.set(\.count, 2), suspendingWhile: context.other == 0)
    #expect(context.count == 2)
    running.stop()
  }

  @MainActor @Test func aSendThatWaitsMissesNoTurnOfAnotherExecutor() async {
    let isDone = Handover<Bool>()
    let system = Trace(
      { _, event in if event < 0 { isDone.value = true } },
      feedbacks: [
        Feedback.on({ $0 > 0 ? $0 : nil }) { number in
          await Task {}.value
          return -number
        }
      ])
    let context = Context(state: [], system: system, executor: .background)
    let running = context.start()
    for round in 1...300 {
      isDone.value = false
      await context.send(round, suspendingWhile: isDone.value == false)
      #expect(isDone.value == true)
    }
    running.stop()
  }

  @MainActor @Test func aSendThatWaitsReturnsWhenItsTaskIsCancelled() async {
    let (context, running) = await start(.main)
    let reduced = Signal()
    let waiting = Task {
      await context.send(Change { _ in reduced.give() }, suspendingWhile: true)
    }
    _ = await reduced.wait()
    waiting.cancel()
    await waiting.value
    running.stop()
  }

  // MARK: Bindings of one's own

  @MainActor @Test func aBindingOfTwoFunctionsReadsAndWritesParts() {
    let stored = Journal<Fields>()
    stored.note(Fields())
    let binding = ContextBinding<Fields>(
      get: { stored.entries.last ?? Fields() }, set: { stored.note($0) })
    binding.count.wrappedValue = 3
    binding.opaque.number.wrappedValue = 4
    #expect(binding.wrappedValue.count == 3)
    #expect(binding.opaque.wrappedValue.number == 4)
    #expect(binding.projectedValue.count.wrappedValue == 3)
    #expect(stored.count == 3)
  }
}
