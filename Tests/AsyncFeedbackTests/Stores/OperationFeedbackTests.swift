import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Feedbacks of futures and side effects", .timeLimit(.minutes(10)))
@MainActor struct OperationFeedbackTests {
  struct Fields: Sendable {
    var query: String?
    var log: [String] = []
  }

  typealias System = ChangeSystem<Fields>

  private let desk = Desk()

  private nonisolated static func note(_ word: String) -> Change<Fields> {
    Change { $0.log.append(word) }
  }

  private func futureContext(
    _ future: FutureValue<String, Int>, _ venue: Venue
  ) -> Context<System> {
    Context(
      state: Fields(),
      system: System {
        Feedback.request(
          \.query, executing: future, catch: { error in Self.note("\(type(of: error))") }
        ) { number in
          Self.note("\(number)")
        }
      }, executor: venue.executor())
  }

  private func future() -> FutureValue<String, Int> {
    FutureValue { [desk] in try await desk.answer($0) }
  }

  private func isInitial(_ future: FutureValue<String, Int>) -> Bool {
    if case .initial = future.state { true } else { false }
  }

  @Test(arguments: Venue.allCases)
  func aFutureIsExecutedWhileItsParametersStand(venue: Venue) async {
    let future = future()
    let context = futureContext(future, venue)
    let running = context.start()
    context.send(.set(\.query, "a"))
    await desk.begins(1)
    #expect(future.isLoading)
    desk.say(0, .success(1))
    await context.reaches { $0.log == ["1"] }
    #expect(future.data == 1)
    context.send(.set(\.query, "b"))
    await desk.begins(2)
    desk.say(1, .failure(Failure()))
    await context.reaches { $0.log == ["1", "Failure"] }
    #expect(desk.asked == ["a", "b"])
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func nilCancelsAFutureAndResetsIt(venue: Venue) async {
    let future = future()
    let context = futureContext(future, venue)
    let running = context.start()
    context.send(.set(\.query, "a"))
    await desk.begins(1)
    let observer = FieldObserver { future.isLoading || future.data != nil || isInitial(future) }
    context.send(.set(\.query, nil))
    await future.reaches { if case .initial = $0 { true } else { false } }
    await desk.cancelled.reaches(1)
    await context.quiet()
    #expect(await context.state.log == [])
    #expect(isInitial(future))
    // What the operation throws when it is cancelled has not shown for a moment.
    #expect(!observer.values.contains(false))
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func otherParametersReplaceAnExecutionAndItsCancellationTouchesOnlyItsOwn(venue: Venue) async {
    let future = future()
    let context = futureContext(future, venue)
    let running = context.start()
    context.send(.set(\.query, "a"))
    await desk.begins(1)
    context.send(.set(\.query, "b"))
    await desk.begins(2)
    await desk.ends(1)
    #expect(future.isLoading)
    desk.say(1, .success(2))
    await context.reaches { $0.log == ["2"] }
    #expect(future.data == 2)
    running.stop()
    await running.ended()
  }

  @Test(
    "Law 10: a stop cuts an execution off, and does not repeat one that has come",
    arguments: Venue.allCases)
  func law10(venue: Venue) async {
    let future = future()
    let context = futureContext(future, venue)
    let first = context.start()
    context.send(.set(\.query, "a"))
    await desk.begins(1)
    first.stop()
    await first.ended()
    await future.reaches { if case .initial = $0 { true } else { false } }
    let second = context.start()
    await desk.begins(2)
    desk.say(1, .success(2))
    await context.reaches { $0.log == ["2"] }
    second.stop()
    await second.ended()
    #expect(future.data == 2)
    let third = context.start()
    await context.quiet()
    #expect(desk.asked == ["a", "a"])
    third.stop()
    await third.ended()
  }

  @Test func whoTakesAnExecutionAwayIsAnError() async {
    let future = future()
    let context = futureContext(future, .main)
    let running = context.start()
    context.send(.set(\.query, "a"))
    await desk.begins(1)
    future.execute("mine")
    await context.reaches { $0.log == ["CancellationError"] }
    #expect(future.isLoading)
    await desk.begins(2)
    desk.say(1, .success(5))
    await future.reaches { if case .success = $0 { true } else { false } }
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func aSideEffectIsRunWhileItsInputStands(venue: Venue) async {
    let ask = SideEffect<String, Int> { [desk] in try await desk.answer($0) }
    let context = Context(
      state: Fields(),
      system: System {
        Feedback.request(
          \.query, running: ask, policy: .queued, name: "ask",
          catch: { error in Self.note("\(type(of: error))") }
        ) { number in
          Self.note("\(number)")
        }
      }, executor: venue.executor())
    let running = context.start()
    context.send(.set(\.query, "a"))
    await desk.begins(1)
    context.send(.set(\.query, "b"))
    desk.say(0, .success(1))
    await desk.begins(2)
    desk.say(1, .failure(Failure()))
    await context.reaches { $0.log == ["1", "Failure"] }
    context.send(.set(\.query, "c"))
    await desk.begins(3)
    context.send(.set(\.query, nil))
    await desk.cancelled.reaches(1)
    await context.quiet()
    #expect(await context.state.log == ["1", "Failure"])
    running.stop()
    await running.ended()
  }

  @Test func anExecutionThatWasTakenAwayAnswersNothingEvenIfItDoesNotListen() async {
    let future = FutureValue<String, Int> { [desk] in
      try await desk.answer($0, ignoresCancellation: true)
    }
    let context = futureContext(future, .main)
    let running = context.start()
    context.send(.set(\.query, "a"))
    await desk.begins(1)
    future.execute("mine")
    await desk.begins(2)
    desk.say(0, .success(1))
    await context.reaches { !$0.log.isEmpty }
    #expect(await context.state.log == ["CancellationError"])
    desk.say(1, .success(5))
    await future.reaches { if case .success = $0 { true } else { false } }
    running.stop()
    await running.ended()
  }
}
