internal import AsyncFeedback

/// Runs steps on a test context of their own, under a schedule, and watches the state.
struct Rehearsal<System: SystemProtocol>: Sendable {
  let makeSystem: @Sendable (TestClock) -> System
  let hasOwnClock: Bool
  let state: System.State
  let place: SourcePlace
  let look: @Sendable (System.State) -> String?

  /// What the steps have led to.
  struct Outcome {
    var steps: [EventStep<System.Event>] = []
    var finding: StateWatch<System.State>.Finding?
    /// Its failures are at what was found, so that two of the same kind are at the same place.
    var attempt: Attempt
    /// Where the system is at the end, as far as that can be told.
    var position: AnyHashable?

    var hasFailed: Bool { attempt.failure != nil }
  }

  /// Runs steps until there is no other, or one fails, or something was found.
  ///
  /// - Parameter next: gives the next step.
  nonisolated(nonsending) func run(
    under schedule: Schedule, locating: Bool = false,
    _ next: (TestContext<System>) -> EventStep<System.Event>?
  ) async -> Outcome {
    let watch = StateWatch(from: state, look: look)
    var steps: [EventStep<System.Event>] = []
    var position: AnyHashable?
    let attempt = await Attempt.run(under: schedule, at: place) {
      let clock = TestClock()
      let context = TestContext(
        state: state, system: makeSystem(clock), clock: hasOwnClock ? clock : nil,
        fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
      context.transcript.forward(to: watch)
      context.run(
        fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
      while !isOver(watch), let step = next(context) {
        steps.append(step)
        await take(step, in: context)
      }
      guard locating, !isOver(watch) else { return }
      await take(.settle, in: context)
      position = Position(of: context).key
    }
    return Outcome(
      steps: steps, finding: watch.finding, attempt: located(attempt), position: position)
  }

  /// Runs the same steps once more, or others.
  nonisolated(nonsending) func run(
    _ steps: [EventStep<System.Event>], under schedule: Schedule, locating: Bool = false
  ) async -> Outcome {
    var rest = steps[...]
    return await run(under: schedule, locating: locating) { _ in rest.popFirst() }
  }

  private func isOver(_ watch: StateWatch<System.State>) -> Bool {
    watch.finding != nil || FailureCapture.current?.failures.isEmpty == false
  }

  private nonisolated(nonsending) func take(
    _ step: EventStep<System.Event>, in context: TestContext<System>
  ) async {
    switch step {
    case .send(let event):
      await context.send(
        event, fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column)
    case .advance(let duration):
      await context.advance(
        by: duration, fileID: place.fileID, filePath: place.filePath, line: place.line,
        column: place.column)
    case .settle:
      await context.settle(
        fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }
  }

  /// The attempt with its failures where their first lines say.
  private func located(_ attempt: Attempt) -> Attempt {
    let failures = attempt.failures.map { failure in
      FailureCapture.Failure(
        text: failure.text, place: String(failure.text.prefix { $0 != "\n" }))
    }
    return Attempt(
      choices: attempt.choices, failures: failures, transcripts: attempt.transcripts)
  }
}

/// All that decides what a system does next, as far as it can be told: its state, the runs that are going
/// with the events that started them, in the order they began, and what is asleep for how long.
private struct Position: Hashable {
  let state: AnyHashable
  let alive: [String]
  let asleep: [Sleep]

  struct Sleep: Hashable {
    let duration: Duration
    /// Which of the runs that are going sleeps, if it does so itself.
    let run: Int?
  }

  var key: AnyHashable { AnyHashable(self) }

  init<System: SystemProtocol>(of context: TestContext<System>) {
    let state = context.state
    self.state =
      (state as? any Hashable).map { AnyHashable($0) } ?? AnyHashable(describe(state, limit: .max))
    let runs = context.context.driver.aliveRuns.map(\.info).sorted { left, right in
      (left.startedBy, left.number) < (right.startedBy, right.number)
    }
    alive = runs.map { run in
      "\(run) by \(context.transcript.event(run.startedBy).map { describe($0, limit: .max) } ?? "the start")"
    }
    let jobs = runs.map { context.transcript.job(of: $0) }
    asleep = context.executor.clocks.flatMap { clock in
      clock.sleepers.map { sleeper in
        Sleep(
          duration: clock.now.duration(to: sleeper.deadline),
          run: sleeper.job.flatMap { job in jobs.firstIndex { $0 == job } })
      }
    }
  }
}
