import AsyncFeedback
import AsyncFeedbackTestSupport

/// A context on a deterministic executor, which moves only when the test says so.
///
/// Every call returns when nothing is ready any more, so what the test reads next is final.
final class Rehearsal<State: Sendable, Event: Sendable>: Sendable {
  typealias System = ClosureSystem<State, Event>

  let executor = DeterministicExecutor()
  let clock: TestClock
  let context: Context<System>
  /// The events in the order in which they were reduced.
  let events: Journal<Event>
  private let loops = Lock<[Task<Void, Never>]>([])

  init(
    _ state: State, monitor: (any ContextMonitor)? = nil,
    reduce: @escaping @Sendable (inout State, Event) -> Void,
    @FeedbackBuilder<System> feedbacks: (TestClock) -> [Feedback<System>]
  ) {
    let events = Journal<Event>()
    let clock = TestClock()
    clock.attach(executor)
    self.events = events
    self.clock = clock
    context = Context(
      state: state,
      system: System(
        reduce: { state, event in
          events.note(event)
          reduce(&state, event)
        }, list: feedbacks(clock)),
      executor: .serial(executor), monitor: monitor)
  }

  deinit {
    for loop in loops.withLock({ $0 }) { loop.cancel() }
    executor.runUntilIdle()
  }

  /// Starts a loop.
  @discardableResult
  func run() -> Task<Void, Never> {
    let context = context
    let loop = perform { await context.runFeedbackLoop() }
    loops.withLock { $0.append(loop) }
    return loop
  }

  /// Stops a loop.
  func stop(_ loop: Task<Void, Never>) {
    loop.cancel()
    executor.runUntilIdle()
  }

  /// Sends events in one go.
  func send(_ events: Event...) {
    for event in events { context.send(event) }
    executor.runUntilIdle()
  }

  func advance(by seconds: Int) {
    clock.advance(by: .seconds(seconds))
  }

  /// Starts a task on the executor.
  @discardableResult
  func perform(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task(executorPreference: executor) { await work() }
    executor.runUntilIdle()
    return task
  }

  var state: State {
    let read = Journal<State>()
    let context = context
    perform { read.note(await context.state) }
    return read.entries[0]
  }
}

extension Rehearsal where Event == Change<State> {
  convenience init(
    _ state: State, monitor: (any ContextMonitor)? = nil,
    @FeedbackBuilder<System> feedbacks: (TestClock) -> [Feedback<System>]
  ) {
    self.init(
      state, monitor: monitor, reduce: { state, change in change.apply(&state) },
      feedbacks: feedbacks)
  }

  func set<Value: Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) {
    send(.set(keyPath, value))
  }
}
