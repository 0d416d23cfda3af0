public import AsyncFeedback

extension TestContext {
  /// Waits while the flag in the state holds; see `suspend(while:)` with a condition.
  @discardableResult
  public nonisolated(nonsending) func suspend(
    while flag: KeyPath<System.State, Bool>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    // A part that is computed has no name here.
    let name = "\(flag)".contains("<computed") ? "the condition" : "the condition \(flag)"
    await suspend(on: name, at: place) { self.state[keyPath: flag] }
    return self
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
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await suspend(on: "the condition", at: place, condition)
    return self
  }

  /// Waits while the condition on the state holds; see `suspend(while:)` with a condition.
  @discardableResult
  public nonisolated(nonsending) func suspend(
    while condition: (System.State) -> Bool, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await suspend(on: "the condition", at: place) { condition(self.state) }
    return self
  }

  /// Waits until something sleeps under the id on a clock of the test.
  ///
  /// Answers that wait stay where they are. It waits for the sleeper and for nothing else: it does not
  /// look again and again, and fails with a list of what is asleep when none comes.
  @discardableResult
  public nonisolated(nonsending) func sleeping(
    id: some Hashable, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let advice = """
      Look at what is asleep below: another id is another sleep, a sleep without one gets it by \
      `clock.sleep(id:for:)`, and what is not listed sleeps on another clock.
      """
    await sleeping("under \"\(id)\"", advice, at: place) { $0.isSleeping(id: id) }
    return self
  }

  /// Waits until something sleeps until exactly this instant on a clock of the test; see `sleeping(id:)`.
  @discardableResult
  public nonisolated(nonsending) func sleeping(
    until deadline: TestClock.Instant, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let advice = """
      Look at what is asleep below: another deadline is another duration or another start, and what is \
      not listed sleeps on another clock.
      """
    await sleeping("until \(deadline)", advice, at: place) { $0.isSleeping(until: deadline) }
    return self
  }
}

extension TestContext {
  private nonisolated(nonsending) func suspend(
    on name: String, at place: SourcePlace, _ condition: () -> Bool
  ) async {
    guard admits("`suspend`", at: place) else { return }
    let outcome = await waitAtRest(for: { !condition() }, going: { await letEverythingGo() })
    if !reportFaults(at: place), outcome == .limitReached {
      excuseBusyRuns()
      record(
        "\(name) still held after \(limit), with the system at rest.", at: place)
    }
  }

  private nonisolated(nonsending) func sleeping(
    _ description: String, _ advice: String, at place: SourcePlace,
    _ isAsleep: (TestClock) -> Bool
  ) async {
    guard admits("`sleeping`", at: place) else { return }
    await wait { clocks.contains(where: isAsleep) }
    guard !reportFaults(at: place), !clocks.contains(where: isAsleep) else { return }
    record("nothing sleeps \(description).\n\(advice)", at: place)
    excuseBusyRuns()
  }

  /// Waits until the condition holds.
  ///
  /// It gives up when nothing is left that could bring that about, and when the limit is reached. Answers
  /// stay where they are.
  @discardableResult
  nonisolated(nonsending) func wait(until isMet: () -> Bool) async -> Signal.Outcome {
    await waitAtRest(
      for: { isMet() || runsOutside.isEmpty }, going: { await executor.settle() })
  }

  /// Has the system run, at rest each time work comes from outside, until the condition holds.
  private nonisolated(nonsending) func waitAtRest(
    for isMet: () -> Bool, going goOn: nonisolated(nonsending) () async -> Void
  ) async -> Signal.Outcome {
    await goOn()
    // Most waits end here, and need no timer.
    if isMet() || isGivenUp || transcript.hasFaults || executor.isRestless { return .given }
    let news = Signal()
    return await news.within(limit) {
      repeat {
        executor.listen(news)
        defer { executor.ignore(news) }
        let outcome = await news.wait()
        guard outcome == .given else { return outcome }
        await goOn()
      } while !isMet() && !transcript.hasFaults && !executor.isRestless
      return .given
    }
  }

  /// The runs that wait neither inside the library, nor on a test clock, nor for the test itself.
  var runsOutside: [RunInfo] {
    let asleep = Set((sleepers + foreignSleepers).compactMap(\.job))
    return busyRuns.filter { run in
      heldNote(run) == nil && !(transcript.job(of: run).map(asleep.contains) ?? false)
    }
  }

  /// The runs that do not wait inside the library.
  var busyRuns: [RunInfo] { context.driver.aliveRuns.filter(\.run.isBusy).map(\.info) }

  /// Has `finish()` say nothing of the runs that a failure has shown as going.
  func excuseBusyRuns() {
    excusedRuns.formUnion(busyRuns.map(\.number))
  }
}
