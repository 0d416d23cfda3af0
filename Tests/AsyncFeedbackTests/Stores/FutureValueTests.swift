import AsyncFeedback
import AsyncFeedbackTestSupport
import Observation
import Testing

/// An operation that the test answers for, once for each time it is executed.
final class Desk: Sendable {
  private struct State: Sendable {
    var asked: [String] = []
    var answers: [Handover<Result<Int, any Error>>] = []
    var gates: [Gate] = []
  }

  private let state = Lock(State())
  private let begun = Tally()
  private let ended = Tally()
  let cancelled = Tally()

  var asked: [String] { state.withLock(\.asked) }

  func answer(_ params: String, ignoresCancellation: Bool = false) async throws -> Int {
    let (answer, gate) = (Handover<Result<Int, any Error>>(), Gate())
    state.withLock { state in
      state.asked.append(params)
      state.answers.append(answer)
      state.gates.append(gate)
    }
    begun.increment()
    defer { ended.increment() }
    if ignoresCancellation { await gate.passUncancelled() } else { await gate.pass() }
    if Task.isCancelled { cancelled.increment() }
    guard let result = answer.value else { throw CancellationError() }
    return try result.get()
  }

  func begins(_ count: Int) async { await begun.reaches(count) }

  func ends(_ count: Int) async { await ended.reaches(count) }

  func say(_ index: Int, _ result: Result<Int, any Error>) {
    let (answer, gate) = state.withLock { ($0.answers[index], $0.gates[index]) }
    answer.value = result
    gate.open()
  }
}

extension FutureValue {
  /// Waits until the state meets a condition.
  func reaches(_ condition: @escaping @MainActor (State<Result>) -> Bool) async {
    let gate = Gate()
    let observer = FieldObserver {
      if condition(self.state) { gate.open() }
    }
    await gate.pass()
    observer.stop()
  }
}

@Suite("FutureValue", .timeLimit(.minutes(10)))
@MainActor struct FutureValueTests {
  private let desk = Desk()

  private func future(ignoresCancellation: Bool = false) -> FutureValue<String, Int> {
    FutureValue { [desk] params in
      try await desk.answer(params, ignoresCancellation: ignoresCancellation)
    }
  }

  private func word(_ state: FutureValue<String, Int>.State<Int>) -> String {
    switch state {
    case .initial: "initial"
    case .loading: "loading"
    case .success(let number): "success \(number)"
    case .failure(let error): "failure \(type(of: error))"
    }
  }

  @Test func itLoadsAndShowsTheResult() async {
    let future = future()
    let observer = FieldObserver { word(future.state) }
    #expect(future.data == nil)
    future.execute("a")
    #expect(future.isLoading)
    await desk.begins(1)
    desk.say(0, .success(3))
    await future.reaches { if case .success = $0 { true } else { false } }
    #expect(future.data == 3)
    #expect(!future.isLoading)
    future.reset()
    #expect(observer.values == ["initial", "loading", "success 3", "initial"])
  }

  @Test(arguments: [Failure() as any Error, CancellationError()])
  func anErrorIsAFailureAlsoACancellationThatNobodyAskedFor(error: any Error) async {
    let future = future()
    future.execute("a")
    await desk.begins(1)
    desk.say(0, .failure(error))
    await future.reaches { if case .failure = $0 { true } else { false } }
    #expect(word(future.state) == "failure \(type(of: error))")
    #expect(future.data == nil)
  }

  @Test func anotherExecutionCancelsTheOneGoingOnAndALateResultNeverShows() async {
    let future = future(ignoresCancellation: true)
    let observer = FieldObserver { word(future.state) }
    future.execute("a")
    await desk.begins(1)
    future.execute("b")
    await desk.begins(2)
    desk.say(0, .success(1))
    await desk.ends(1)
    #expect(desk.cancelled.count == 1)
    desk.say(1, .success(2))
    await future.reaches { if case .success = $0 { true } else { false } }
    #expect(observer.values == ["initial", "loading", "loading", "success 2"])
  }

  @Test func aResetForgetsALateResultAndALateError() async {
    let future = future(ignoresCancellation: true)
    for (index, result) in [Result<Int, any Error>.success(1), .failure(Failure())].enumerated() {
      future.execute("a")
      await desk.begins(index + 1)
      future.reset()
      desk.say(index, result)
      await desk.ends(index + 1)
      // What the operation has returned comes by way of its task, which is on the main actor.
      await Task {}.value
      #expect(word(future.state) == "initial")
    }
  }

  @Test func whatIsReplacedBeforeItBeginsIsNotExecuted() async {
    let future = future()
    future.execute("a")
    future.execute("b")
    await desk.begins(1)
    desk.say(0, .success(1))
    await future.reaches { if case .success = $0 { true } else { false } }
    #expect(desk.asked == ["b"])
  }

  @Test func aResetWhileAResultIsToldLeavesNothingOfIt() async {
    let future = future()
    future.execute("a")
    await desk.begins(1)
    let told = Gate()
    withObservationTracking {
      _ = future.state
    } onChange: {
      MainActor.assumeIsolated { future.reset() }
      told.open()
    }
    desk.say(0, .success(1))
    await told.pass()
    #expect(word(future.state) == "initial")
  }

  @Test func theOperationGoesOnWhenTheHolderGoesWhichItDoesNotKeep() async {
    var future: FutureValue<String, Int>? = future()
    let reference = future.map(WeakReference.init)
    future?.execute("a")
    await desk.begins(1)
    future = nil
    #expect(reference?.object == nil)
    desk.say(0, .success(1))
    await desk.ends(1)
    #expect(desk.cancelled.count == 0)
  }

  @Test func withoutParametersThereIsNothingToPass() async {
    let future = FutureValue<Void, Int> { 3 }
    future.execute()
    await future.reaches { if case .success = $0 { true } else { false } }
    future.execute(())
    #expect(future.isLoading)
  }
}

@Suite("SideEffect") @MainActor struct SideEffectTests {
  @Test func itPassesItsInputAndReturnsItsOutput() async throws {
    var received: [String] = []
    let note = SideEffect<[String], Void> { received = $0 }
    try await note.run(["a", "b"])
    #expect(received == ["a", "b"])
    let double = SideEffect<Int, Int> { $0 * 2 }
    #expect(try await double.run(21) == 42)
  }

  @Test func whatItThrowsIsThrown() async {
    let fails = SideEffect<Void, Void> { throw Failure(code: 2) }
    await #expect(throws: Failure(code: 2)) { try await fails.run() }
  }

  @Test func withoutInputItRunsWithoutArguments() async throws {
    var isCalled = false
    let call = SideEffect<Void, Void> { isCalled = true }
    try await call.run()
    #expect(isCalled)
  }
}
