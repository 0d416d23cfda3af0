public import AsyncFeedback

extension TestContext {
  /// Starts the loop.
  ///
  /// The feedbacks look at the state; what they answer waits for the next step. Their runs begin, as in a
  /// live context, when no answer waits.
  ///
  /// Bodies see the task-local values and the priority of the test. A loop that was finished starts anew.
  /// It is a failure if the loop runs already.
  @discardableResult
  public func run(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard takesPart(at: place) else { return self }
    guard running == nil else {
      record(
        """
        `run()` was called although the loop runs, since line \(startedAt?.line ?? place.line).
        Call it once, or `finish()` before the next. The loop goes on.
        """, at: place)
      return self
    }
    (startedAt, finishedAt, isGivenUp, taken) = (place, nil, false, TakenAnswers())
    context.driver.allow(0)
    DeterministicExecutor.$current.withValue(executor) {
      let running = context.start()
      // Weakly: the loop holds the driver, and that its monitor, which the transcript is.
      transcript.onRunaway { [weak running] in running?.stop() }
      self.running = running
    }
    executor.runOwnUntilIdle()
    reportFaults(at: place)
    return self
  }

  /// Sends an event and waits until it is reduced and its feedbacks have reacted.
  ///
  /// What feedbacks answer to this event waits for the next step, and so do the runs that it triggers where
  /// a body has answered at once: in a live context, too, they begin when all that is queued is reduced.
  /// Before `run()` the event waits for the loop.
  ///
  /// Answers that wait go first. Where the test is exhaustive that is a failure: they are to be received.
  ///
  /// - Parameter claim: makes, in the state before the event, the whole change that the event makes. With
  ///   `exhaustivity` off only what it sets is compared. Without it nothing is claimed.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ event: System.Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, _ claim: ((inout System.State) -> Void)? = nil
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard admits("`send`", at: place) else { return self }
    await goOn("\(describe(event)) was sent", at: place)
    let before = state
    context.send(event, fileID: fileID, line: line, caller: nil)
    if context.isRunning { await take(1) }
    if claim != nil { hasClaimed = true }
    guard !reportFaults(at: place), let claim else { return self }
    verifyIfRunning(Claim(change: claim), of: describe(event), from: before, at: place)
    return self
  }

  /// Does something in the middle of the chain.
  @discardableResult
  public nonisolated(nonsending) func `do`(
    _ body: nonisolated(nonsending) () async -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await body()
    if admits("`do`", at: place) { reportFaults(at: place) }
    return self
  }

  /// Waits until the system is at rest, and looks at the state.
  ///
  /// What the closure expects is its own; the step claims nothing, and lets answers go.
  @discardableResult
  public nonisolated(nonsending) func check(
    _ body: (System.State) -> Void = { _ in }, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard admits("`check`", at: place) else { return self }
    await letEverythingGo()
    reportFaults(at: place)
    body(state)
    return self
  }

  /// Waits until the system is at rest: nothing is ready, on its executor or on the main actor.
  @discardableResult
  public nonisolated(nonsending) func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard admits("`settle`", at: place) else { return self }
    await letEverythingGo()
    reportFaults(at: place)
    return self
  }

  /// Moves the clock and waits until the system is at rest.
  ///
  /// Everything due wakes in the order of the deadlines, on several clocks together, and each time the
  /// system comes to rest before time goes on, also where a body goes to the main actor and back.
  ///
  /// Where the test is exhaustive, what feedbacks answer meanwhile waits to be received, and it is a
  /// failure if an answer waits before. With `exhaustivity` off it waits too. Otherwise everything goes on.
  ///
  /// - Parameter duration: how far, zero or more; it is a failure if it is less, and nothing moves.
  @discardableResult
  public nonisolated(nonsending) func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard admits("`advance`", at: place) else { return self }
    guard duration >= .zero else {
      record(
        """
        the clock was to be advanced by \(duration), and time does not go back.
        Advance by zero or more. Nothing has moved.
        """, at: place)
      return self
    }
    let hasFailed = await goOn("the clock was advanced", at: place)
    if clocks.isEmpty, !hasFailed {
      record(
        """
        no clock to advance: nothing in this test has slept on a TestClock.
        Give the system's feedbacks a TestClock, or name it with `clock:` when you make the context.
        """, at: place)
    }
    await move(clocks, by: duration)
    reportFaults(at: place)
    return self
  }
}

extension TestContext {
  /// Whether the test has to account for the answers.
  var isExhaustive: Bool {
    exhaustivity == .on || exhaustivity == .automatic && hasClaimed
  }

  /// Whether answers wait to be taken until a step lets them go on purpose.
  var holdsAnswers: Bool { isExhaustive || exhaustivity == .off }

  /// Has everything run until the system is at rest.
  nonisolated(nonsending) func letEverythingGo() async {
    context.driver.allow(.max)
    await executor.settle()
    if holdsAnswers { context.driver.allow(0) }
  }

  /// Lets what waits go before a step that goes on.
  ///
  /// - Returns: whether that is a failure.
  @discardableResult
  nonisolated(nonsending) func goOn(_ action: String, at place: SourcePlace) async -> Bool {
    var hasFailed = false
    if holdsAnswers {
      await executor.settle()
      guard !context.driver.waiting.isEmpty else { return false }
      hasFailed = reportUnreceived(action, at: place)
    }
    let first = transcript.lastNumber + 1
    await letEverythingGo()
    if hasFailed { taken.add(first..<transcript.lastNumber + 1, at: place) }
    return hasFailed
  }

  /// Does something that lets answers go.
  ///
  /// - Parameter place: that of the failure which takes them, if it is one.
  func taking(_ place: SourcePlace?, _ body: () -> Void) {
    let first = transcript.lastNumber + 1
    body()
    if let place { taken.add(first..<transcript.lastNumber + 1, at: place) }
  }

  /// Records the answers that wait although a step goes on.
  ///
  /// - Returns: whether there are any.
  func reportUnreceived(_ action: String, at place: SourcePlace) -> Bool {
    guard exhaustivity != .off else {
      reportSkipped(context.driver.waiting, at: place)
      return false
    }
    guard isExhaustive, context.isRunning else { return false }
    let waiting = context.driver.waiting.filter { !excusedAnswers.contains($0.position) }
    guard !waiting.isEmpty else { return false }
    record(
      """
      \(action) while \(waiting.count == 1 ? "an answer" : "\(waiting.count) answers") waited:
      \(waiting.map { "  \(text(of: $0))" }.joined(separator: "\n"))
      Receive or skip what a step has brought before the next one, or let it go with settle(). What waits \
      is let go now.
      """, at: place)
    return true
  }

  /// Compares a claim with the state, unless its event waits for the loop.
  func verifyIfRunning(
    _ claim: Claim<System.State>, of subject: String, from before: System.State,
    at place: SourcePlace
  ) {
    guard !context.isRunning else { return verify(claim, of: subject, from: before, at: place) }
    record(
      """
      \(subject) waits, since the loop does not run, and its change cannot be claimed yet.
      Call run() before the step.
      """, at: place)
  }

  /// Compares a claim with the state, and records what is wrong.
  func verify(
    _ claim: Claim<System.State>, of subject: String, from before: System.State,
    at place: SourcePlace
  ) {
    let fault =
      exhaustivity == .off
      ? claim.partialFault(of: subject, from: before, to: state)
      : claim.fault(of: subject, from: before, to: state)
    if let fault { record("\(fault)", at: place) }
  }
}
