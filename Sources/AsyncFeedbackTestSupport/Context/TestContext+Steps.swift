public import AsyncFeedback

extension TestContext {
  /// Starts the loop.
  ///
  /// The feedbacks look at the state; what they answer waits for the next step. Their runs begin, as in a
  /// live context, when no answer waits.
  ///
  /// Bodies see the task-local values and the priority of the test.
  @discardableResult
  public func run(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    precondition(running == nil, "a test context must be run once at a time (runs already)")
    context.driver.allow(0)
    DeterministicExecutor.$current.withValue(executor) {
      let running = context.start()
      transcript.onRunaway { running.stop() }
      self.running = running
    }
    executor.runOwnUntilIdle()
    reportFaults(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    return self
  }

  /// Sends an event and waits until it is reduced and its feedbacks have reacted.
  ///
  /// Answers that wait go first. What feedbacks answer to this event waits for the next step, and so do
  /// the runs that it triggers where a body has answered at once: in a live context, too, they begin when
  /// all that is queued is reduced. Before `run()` the event waits for the loop.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ event: System.Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Self {
    await letEverythingGo()
    context.send(event, fileID: fileID, line: line, caller: nil)
    if context.isRunning {
      context.driver.allow(1)
      await executor.settle()
    }
    reportFaults(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    return self
  }

  /// Does something in the middle of the chain.
  @discardableResult
  public nonisolated(nonsending) func `do`(
    _ body: nonisolated(nonsending) () async -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    await body()
    reportFaults(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    return self
  }

  /// Waits until the system is at rest, and looks at the state.
  @discardableResult
  public nonisolated(nonsending) func check(
    _ body: (System.State) -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    await letEverythingGo()
    reportFaults(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    body(state)
    return self
  }

  /// Waits until the system is at rest: nothing is ready, on its executor or on the main actor.
  @discardableResult
  public nonisolated(nonsending) func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Self {
    await letEverythingGo()
    reportFaults(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    return self
  }

  /// Waits while the flag in the state holds; see `suspend(while:)` with a condition.
  @discardableResult
  public nonisolated(nonsending) func suspend(
    while flag: KeyPath<System.State, Bool>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    await suspend(
      on: "the condition \(flag)",
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    ) { self.state[keyPath: flag] }
  }

  /// Waits while the condition holds, at rest.
  ///
  /// Where the system is at rest and the condition still holds, this waits for something outside that
  /// brings work: a plain task, a callback, a real clock. It fails when none does within the limit, with
  /// the state, what is alive, and what has happened.
  @discardableResult
  public nonisolated(nonsending) func suspend(
    while condition: @autoclosure () -> Bool, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    await suspend(
      on: "the condition",
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column), condition)
  }

  private nonisolated(nonsending) func suspend(
    on name: String, at place: SourcePlace, _ condition: () -> Bool
  ) async -> Self {
    let news = Signal()
    let outcome = await news.within(limit) {
      await letEverythingGo()
      while condition(), !transcript.hasFaults, !executor.isRestless {
        executor.listen(news)
        defer { executor.ignore(news) }
        let outcome = await news.wait()
        guard outcome == .given else { return outcome }
        await letEverythingGo()
      }
      return .given
    }
    if !reportFaults(at: place), outcome == .limitReached {
      reporter.record(
        "\(name) still held after \(limit), with the system at rest.\n\(situation)", at: place)
    }
    return self
  }

  /// Moves the clock and waits until the system is at rest.
  @discardableResult
  public nonisolated(nonsending) func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await letEverythingGo()
    let clocks = clock.map { [$0] } ?? executor.clocks
    if clocks.isEmpty {
      reporter.record(
        """
        no clock to advance: nothing in this test has slept on a TestClock.
        Give the system's feedbacks a TestClock, or name it with `clock:` when you make the context.
        \(situation)
        """, at: place)
    }
    for clock in clocks { clock.advance(by: duration) }
    await letEverythingGo()
    reportFaults(at: place)
    return self
  }

  /// Stops the loop.
  ///
  /// It is a failure if a run is still going that does not wait inside the library.
  ///
  /// This is synchronous and does not wait for the main actor. A run that goes there counts as going,
  /// even if it could have come back in the meantime, until a step that is awaited has seen it end. So
  /// where nothing was awaited since `run()`, `await` a step such as `settle()` first.
  public func finish(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    letGo()
    reportFaults(at: place)
    reportBusyRuns(at: place)
    running?.stop()
    running = nil
    executor.runOwnUntilIdle()
    reportRestlessness(at: place)
  }
}

extension TestContext {
  private nonisolated(nonsending) func letEverythingGo() async {
    context.driver.allow(.max)
    await executor.settle()
  }
}
