public import AsyncFeedback

extension TestContext {
  /// The held runs that are alive, in the order in which they began.
  ///
  /// As they are now: it lets nothing go that waits. For what `alive` cannot say, such as a part of a
  /// payload.
  public var heldRuns: [HeldRun] { desk.runs }

  /// Waits until the system is at rest, and claims which held runs are alive: these, and no others.
  ///
  /// ```swift
  /// func tapped<System>(_ context: TestContext<System>) async {
  ///   await context.alive("load").alive(.run("load", 3), .run("upload", id: "a.png")).alive()
  /// }
  /// ```
  ///
  /// A name that stands twice claims two runs; the order says nothing. A run is alive while its body
  /// would be going: not before its pace lets it through, while it waits for another run, or between two
  /// attempts. It is a failure if anything is missing or not claimed.
  ///
  /// What waits goes first; where the test is exhaustive it stays, and runs begin only when nothing waits.
  @discardableResult
  public nonisolated(nonsending) func alive(
    _ claims: HeldRunClaim..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard admits("`alive`", at: place) else { return self }
    await letGoUnlessHeld()
    if !reportFaults(at: place) { reportAlive(claims, at: place) }
    return self
  }

  /// Answers for a held run with an event, or with several if its body sends them.
  ///
  /// What waits goes first; where the test is exhaustive it stays before the answer. The answer is queued
  /// with the lease of the run, as that of a live body, and waits until a step receives it or lets it go. A body that returns its event ends with it, one that sends
  /// events is alive until `end`.
  ///
  /// It is a failure if the claim fits no run that is alive, or more than one.
  ///
  /// - Parameters:
  ///   - claim: the run.
  ///   - event: the answer, and more of them.
  ///   - change: receives the answer too, and claims the change that it makes, as `receive` does.
  @discardableResult
  public nonisolated(nonsending) func answer(
    _ claim: HeldRunClaim, with event: System.Event, _ others: System.Event...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ change: ((inout System.State) -> Void)? = nil
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let events = [event] + others
    guard await say(.answer(events), to: claim, as: "answer", at: place), let change else {
      return self
    }
    await receive(events.map { EventPattern($0) }, change, at: place)
    return self
  }

  /// Ends the body of a held run without an event of its own.
  ///
  /// What waits goes first. A body that returns an event returns nil, the sequence of a stream ends; if its
  /// feedback makes an event of that, the event waits to be handled until the next step.
  ///
  /// It is a failure if the claim fits no run that is alive, or more than one.
  @discardableResult
  public nonisolated(nonsending) func end(
    _ claim: HeldRunClaim, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Self {
    _ = await say(
      .end, to: claim, as: "end",
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    return self
  }

  /// Has the body of a held run throw an error.
  ///
  /// What waits goes first. The error takes the real way: through the retries of the feedback, then to
  /// its `catch`, whose event waits to be handled until the next step.
  ///
  /// It is a failure if the claim fits no run that is alive, or more than one, and if the body cannot
  /// throw.
  @discardableResult
  public nonisolated(nonsending) func fail(
    _ claim: HeldRunClaim, with error: any Error, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    _ = await say(
      .fail(error), to: claim, as: "fail",
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    return self
  }

  /// Lets what waits go, unless the test takes it event by event.
  private nonisolated(nonsending) func letGoUnlessHeld() async {
    if holdsAnswers { await executor.settle() } else { await letEverythingGo() }
  }

  /// - Returns: whether the run was told.
  private nonisolated(nonsending) func say(
    _ word: HeldBody<System>.Word, to claim: HeldRunClaim, as step: String, at place: SourcePlace
  ) async -> Bool {
    guard admits("`\(step)`", at: place) else { return false }
    await letGoUnlessHeld()
    guard !reportFaults(at: place), let body = heldBody(claim, for: word, as: step, at: place)
    else {
      return false
    }
    context.driver.allow(0)
    body.hear(word)
    await executor.settle()
    return !reportFaults(at: place)
  }
}
