public import AsyncFeedback

/// Runs a system in a test, step by step and exactly.
///
/// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
/// ```swift
/// let context = TestContext(state: .init(), system: Counter())
/// await context
///   .check { state in #expect(state.count == 1) }
///   .run()
///   .send(.countEntered(3))
///   .suspend(while: context.state.message == nil)
///   .check { state in #expect(state.message == "multiple of 3!!") }
///   .finish()
/// ```
///
/// It is the real context on an executor that the test drives: its jobs run one at a time, on the
/// test's own thread, until nothing is ready. So a step ends exactly when the system has come to rest,
/// on a busy machine as on an idle one, and suites run in parallel.
///
/// - A step also waits for what the system has given to the main actor. Work that a body gives to
///   anything else, such as a plain `Task` or a callback, is outside: `suspend(while:)` waits for it, up
///   to a limit of real time.
/// - `send` reduces its event alone. What feedbacks answer waits, until the next step lets it go.
/// - `run()`, `finish()` and the writes of a binding are synchronous, so they cannot wait for the main
///   actor. A run that comes back from there, or from anything outside, goes on in the next step that is
///   awaited and in none of these, even if it has come back by then: chance decides nothing.
/// - Feedbacks may be held (see `HeldFeedbacks`): then the test answers for their runs, with no stub for
///   what they work with.
/// - An error that becomes no event, and a runaway loop, are failures of the step that sees them. So is
///   work that never comes to rest, as that of a body that waits by yielding: the step gives up, and the
///   loop is stopped.
/// - Failures are recorded at the line of the step, in Swift Testing and in XCTest.
/// - `finish()` ends a test. A context that goes without it, in a test that has claimed something or is
///   exhaustive, fails at its own line if `finish()` would have.
///
/// A test context is not `Sendable`: a test uses it from one isolation, the main actor or none.
public final class TestContext<System: SystemProtocol> {
  /// The context that is tested.
  public let context: Context<System>

  /// The executor that the steps drive.
  public let executor = DeterministicExecutor()

  let transcript = Transcript()
  /// Takes the transcript when the test finishes; nobody does unless the environment asks for it.
  package var transcriptOutput: ((String) -> Void)?
  let desk: HeldDesk<System>
  let reporter: FailureReporter
  let limit: Duration
  let clock: TestClock?
  var running: Running?
  /// Where the loop was started.
  var startedAt: SourcePlace?
  /// Where the test has finished, until the loop is started anew.
  var finishedAt: SourcePlace?
  /// The exploration that a failure has kept this context out of.
  var foreignSchedule: Schedule?
  /// Whether a step has claimed something.
  var hasClaimed = false
  /// The answers that failures have taken in place of the test.
  var taken = TakenAnswers()
  /// Answers that wait and that a failure has named, by their positions.
  var excusedAnswers: Set<UInt64> = []
  /// Whether a failure has told that the loop does not run, or has stopped it, so that what other steps find
  /// is no fault of its own.
  var isGivenUp = false
  /// The runs that `finish()` says nothing of: a failure has named them, or the test has skipped them.
  var excusedRuns: Set<UInt64> = []
  var transientStates: [TransientState<System.State>] = []

  /// Whether the test has to account for every answer.
  public var exhaustivity: Exhaustivity {
    didSet { if holdsAnswers { context.driver.allow(0) } }
  }

  /// Makes a context for a test.
  ///
  /// Nothing runs before `run()`.
  ///
  /// - Parameters:
  ///   - state: the state to begin with.
  ///   - system: the system to test.
  ///   - held: the feedbacks whose bodies are not executed: the test answers for their runs.
  ///   - clock: the clock that the chain's `advance(by:)` moves; without one, those on which something
  ///     in this test has slept.
  ///   - limit: the real time after which a step gives up: one that waits for something outside, and one
  ///     whose work does not come to rest although no event is handled and no run begins or ends. Where
  ///     events are handled without an end, ten times as long. Work always gets a tenth of a second.
  ///   - runawayLimit: how many events may cause each other before that is a failure.
  ///   - exhaustivity: whether the test has to account for every answer; by default from its first claim.
  ///   - checksPurity: whether each event is reduced twice, on two copies of the state, and two different
  ///     results are a failure. Leave it off where states share an object that the reducer changes.
  public convenience init(
    state: System.State, system: System, held: HeldFeedbacks = .none, clock: TestClock? = nil,
    limit: Duration = .seconds(5), runawayLimit: Int? = 10_000,
    exhaustivity: Exhaustivity = .automatic, checksPurity: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      state: state, system: system, held: held, clock: clock, limit: limit,
      runawayLimit: runawayLimit, exhaustivity: exhaustivity, checksPurity: checksPurity,
      reporter: FailureReporter(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  package init(
    state: System.State, system: System, held: HeldFeedbacks = .none, clock: TestClock?,
    limit: Duration, runawayLimit: Int?, exhaustivity: Exhaustivity, checksPurity: Bool,
    reporter: FailureReporter
  ) {
    self.exhaustivity = exhaustivity
    SeedVariable.current.reportMalformed(to: reporter)
    FailureCapture.current?.add(transcript)
    self.reporter = reporter.adding(executor.schedule?.note)
    self.limit = limit
    self.clock = clock
    if executor.schedule?.isQuiet != true { transcriptOutput = Transcript.output?.write }
    desk = HeldDesk(system.feedbacks(), holding: held)
    transcript.noteCatching(desk.feedbacks.filter { $0.catch != nil }.map(\.declaration))
    let reducer = system.reducer()
    context = Context(
      state: state, feedbacks: desk.feedbacks,
      reducer: checksPurity
        ? checkingPurity(of: reducer) { [transcript] in transcript.fault($0) } : reducer,
      executor: .serial(executor), monitor: transcript, runawayLimit: runawayLimit)
    clock?.attach(executor)
    if let complaint = desk.complaint(about: held) { reporter.record(complaint) }
    // A limit may be short because nothing outside is to be waited for. That says nothing about work.
    executor.patience = Patience(limit: max(limit, .milliseconds(100))) { [transcript] in
      transcript.count
    }
  }

  deinit {
    reportUnfinished()
    // What was cancelled ends on the executor, which nobody drives any more after this.
    running?.stop()
    context.driver.allow(.max)
    executor.runUntilIdle()
    reportRestlessness(at: reporter.place)
  }

  /// The state as it is now.
  ///
  /// Setting it replaces the state silently: no feedback is triggered.
  public var state: System.State {
    get { context.driver.visible.pointee }
    set { context.driver.replaceState(newValue) }
  }

  /// A binding that writes silently: no feedback is triggered.
  public var binding: TestBinding<System.State> {
    TestBinding(
      get: { self.state },
      change: { change in
        // Not the visible state, which has the writes that wait in it.
        var state = self.context.driver.state.pointee
        change(&state)
        self.context.driver.replaceState(state)
      })
  }

  /// A binding whose writes trigger the feedbacks of what they change, as those of a view do.
  ///
  /// Answers that wait go first; where the test is exhaustive that is a failure, at the line that made the
  /// context, since a write has no line of its own (`write(_:_:)` has). Like an event of `send` a write is handled alone, and before `run()` it
  /// waits for the loop.
  public var eventBinding: TestBinding<System.State> {
    TestBinding(
      get: { self.state },
      change: { change in
        let place = self.reporter.place
        guard self.admits("a write of `eventBinding`", at: place) else { return }
        self.taking(self.reportUnreceived("a binding was written", at: place) ? place : nil) {
          self.letAllGo()
        }
        self.context.driver.queue(change)
        self.handleOne()
      })
  }

  /// Lets everything that waits go on, until nothing is ready.
  func letAllGo() {
    context.driver.allow(.max)
    executor.runOwnUntilIdle()
  }

  /// Lets the one event that was queued be handled.
  private func handleOne() {
    guard context.isRunning else { return }
    context.driver.allow(1)
    executor.runOwnUntilIdle()
    context.driver.allow(0)
  }
}
