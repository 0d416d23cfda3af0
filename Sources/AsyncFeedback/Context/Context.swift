/// Runs a system: reduces events into the state and lets the feedbacks react.
///
/// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
/// ```swift
/// let context = Context(state: .init(), system: Counter())
/// let running = context.start()
/// await context.send(.countEntered(3)).settled()
/// let message = await context.state.message  // "multiple of 3!!"
/// running.stop()
/// ```
///
/// - **Isolation.** A context is an actor whose executor is chosen when it is made; by default the main
///   actor's, so that a view reads `context.count` and writes `context.binding.text.wrappedValue`
///   synchronously.
/// - **Order.** Events are reduced one at a time, those of one sender in the order sent; feedbacks are
///   evaluated after each transition in the order of their declaration.
/// - **Loop.** Feedbacks react while `runFeedbackLoop()` is pending in somebody's task, or a `Running`
///   from `start()` is held. What is sent otherwise waits for the next start and is reduced first then.
/// - **Lifetime.** Nothing in the library keeps a context alive, and making one starts nothing.
///
/// A context has few members of its own, since each hides a field of the same name from the dynamic
/// member lookup; `context[\.send]` reads such a field.
@dynamicMemberLookup
public actor Context<System: SystemProtocol> {
  @usableFromInline package nonisolated let driver: Driver<System>
  @usableFromInline nonisolated let loop: HotLoop<System>

  /// The executor on which the context reduces, and on which bodies start.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { driver.lane.unownedExecutor }

  /// Makes a context.
  ///
  /// No loop runs yet, and no feedback is evaluated.
  ///
  /// - Parameters:
  ///   - state: the state to begin with.
  ///   - system: asked once for its reducer and its feedbacks.
  ///   - executor: where the context lives.
  ///   - monitor: sees everything that happens, in order.
  ///   - runawayLimit: how many events may cause each other, with no event from outside, no wait on a
  ///     library clock and no element of a stream among them, before the cycle is reported once; nil
  ///     for no report.
  @inlinable
  public init(
    state: System.State, system: System, executor: ContextExecutor = .main,
    monitor: (any ContextMonitor)? = nil, runawayLimit: Int? = 100_000
  ) {
    driver = Driver(
      state: state, feedbacks: system.feedbacks(), executor: executor, monitor: monitor,
      runawayLimit: runawayLimit)
    loop = HotLoop(for: driver, reducer: system.reducer())
    driver.install(loop)
  }

  /// Makes a context whose system's feedbacks and reducer stand in as given: for a test that does the work
  /// of some, or looks at the reducer.
  package init(
    state: System.State, feedbacks: [Feedback<System>], reducer: @escaping System.Reducer,
    executor: ContextExecutor, monitor: (any ContextMonitor)?, runawayLimit: Int?
  ) {
    driver = Driver(
      state: state, feedbacks: feedbacks, executor: executor, monitor: monitor,
      runawayLimit: runawayLimit)
    loop = HotLoop(for: driver, reducer: reducer)
    driver.install(loop)
  }

  deinit {
    driver.contextHasGone()
  }

  /// The state, as readers see it.
  ///
  /// From outside the context's executor: `await context.state`.
  public var state: System.State { driver.visible.pointee }

  /// Sends an event.
  ///
  /// Never blocks, may be called from anywhere, and keeps the sender's order.
  ///
  /// Called on the context's own executor outside a transition, while a loop runs, the event is reduced
  /// before this returns, so the next read is fresh. Otherwise it is queued. Events sent while no loop
  /// runs wait for the next start.
  ///
  /// - Returns: a receipt; `await receipt.value` waits until the event was reduced,
  ///   `await receipt.settled()` until what it caused has ended too.
  @inlinable
  @discardableResult
  public nonisolated func send(
    _ event: System.Event, fileID: StaticString = #fileID, line: UInt = #line,
    caller: (any Actor)? = #isolation
  ) -> Receipt {
    let file = UInt64(UInt(bitPattern: fileID.utf8Start))
    let line = UInt32(truncatingIfNeeded: line)
    guard driver.beginInPlace(caller: caller, isOwn: caller === self) else {
      return driver.sendQueued(event, file: file, line: line)
    }
    return driver.endInPlace(loop.dispatch(event, file, line))
  }

  /// Sends an event and waits, after it was reduced, while the condition holds.
  ///
  /// The condition is evaluated on the main actor whenever a turn has ended. Returns early when the
  /// waiting task is cancelled. Who awaits it holds the context meanwhile.
  @MainActor
  public func send(
    _ event: System.Event, fileID: StaticString = #fileID, line: UInt = #line,
    suspendingWhile condition: @autoclosure @escaping @MainActor () -> Bool
  ) async {
    await send(event, fileID: fileID, line: line).value
    await driver.wait(while: condition)
  }
}

// MARK: - The loop

extension Context {
  /// Runs the loop until the task is cancelled; returns when every run that it started has ended.
  ///
  /// Bodies see the task-local values and the priority of this task. Several loops on one context are
  /// one, which stops when the last ends. A stop cancels the runs that are going; a run that it cuts off
  /// counts as not having happened, so at the next start its trigger is evaluated anew.
  public nonisolated(nonsending) func runFeedbackLoop() async {
    let seat = Attendance.Seat()
    driver.attendance.enter(seat)
    await driver.run(seat)
  }

  /// Runs the loop as long as the result is held.
  ///
  /// Bodies see the task-local values and the priority of the caller. It holds what runs the system, not
  /// the context.
  public nonisolated func start() -> Running {
    let seat = Attendance.Seat()
    driver.attendance.enter(seat)
    let driver = driver
    let task = Task(executorPreference: driver.lane.preference) { await driver.run(seat) }
    return Running(task: task) { driver.attendance.leave(seat) }
  }

  /// Whether a loop runs.
  ///
  /// Changes at the call that starts or stops the last one.
  public nonisolated var isRunning: Bool { driver.attendance.wanted != nil }

  /// Waits until the queue is empty and every run has ended or waits inside the library: for a
  /// tick, an element of a stream, or a retry.
  ///
  /// A debounce or throttle that holds something back counts as busy.
  ///
  /// Returns early when the waiting task is cancelled. While no loop runs, events that wait for one keep
  /// it waiting. Who awaits it holds the context meanwhile.
  public nonisolated(nonsending) func quiet() async {
    await driver.wait(for: .quiet)
  }
}

/// A loop that runs as long as this is held.
///
/// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
/// ```swift
/// let context = Context(state: .init(), system: Counter())
/// do {
///   let running = context.start()
///   await context.quiet()
///   running.stop()
/// }
/// await context.quiet()
/// ```
public final class Running: Sendable {
  private let task: Task<Void, Never>
  private let leave: @Sendable () -> Void

  init(task: Task<Void, Never>, leave: @escaping @Sendable () -> Void) {
    self.task = task
    self.leave = leave
  }

  deinit {
    stop()
  }

  /// Stops the loop, unless another one runs on the context.
  ///
  /// `isRunning` says so at once.
  public func stop() {
    leave()
    task.cancel()
  }

  /// Waits until the loop has ended with every run that it started.
  public nonisolated(nonsending) func ended() async {
    await task.value
  }
}
