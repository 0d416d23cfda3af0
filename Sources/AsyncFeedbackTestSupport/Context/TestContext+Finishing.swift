internal import AsyncFeedback

extension TestContext {
  /// Stops the loop, as the last step of a test.
  ///
  /// It is a failure if a run is still going that does not wait inside the library, if something was sent
  /// to a loop that never ran and, where the test is exhaustive, if an answer waits that nobody has
  /// received. With `exhaustivity` off all this is reported and fails nothing. Every step after it is a
  /// failure, until `run()` starts the loop anew; the state can be read, and finishing again does nothing.
  ///
  /// This is synchronous and does not wait for the main actor. A run that goes there counts as going,
  /// even if it could have come back in the meantime, until a step that is awaited has seen it end. So
  /// where nothing was awaited since `run()`, `await` a step such as `settle()` first.
  public func finish(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard finishedAt == nil, takesPart(at: place) else { return }
    if let message = leftovers(at: place) {
      if exhaustivity == .off {
        reporter.note("\(message)\n\(situation)", at: place)
      } else {
        record(message, at: place)
      }
    }
    running?.stop()
    running = nil
    finishedAt = place
    letAllGo()
    reportRestlessness(at: place)
    transcriptOutput?("\(place): transcript of \(System.self)\n\(transcript.text())")
  }

  /// Passes over the runs that are going: `finish()` cancels them, and says nothing of them.
  ///
  /// For a run that goes on for ever, or whose end is not what the test is about. The runs go on until then.
  /// What waits stays where it is, and must be received or skipped as ever. It is a failure if no run is
  /// going.
  @discardableResult
  public nonisolated(nonsending) func skipRuns(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard admits("`skipRuns`", at: place) else { return self }
    await executor.settle()
    guard !reportFaults(at: place) else { return self }
    if busyRuns.isEmpty {
      record(
        """
        runs were to be skipped, and none is going that `finish()` would name.
        Take the step away, or make the system start one first.
        """, at: place)
    }
    excuseBusyRuns()
    return self
  }

  /// Records what `finish()` would say, where a test that had to call it has not.
  ///
  /// Of the error that may have ended the test before nothing is known here.
  func reportUnfinished() {
    let hasFailed = FailureCapture.current.map { !$0.failures.isEmpty } ?? false
    guard running != nil, isExhaustive, !isGivenUp, !hasFailed, !Task.isCancelled else { return }
    guard let message = leftovers(at: reporter.place) else { return }
    record(
      """
      the context is gone, and nobody has called `finish()`, which would have failed:
      \(message)
      Let `finish()` be the last step. If an error has ended the test before it, look at that first.
      """, at: reporter.place)
  }
}

extension TestContext {
  /// What is left at the end of the test, and what to do about it; nil where nothing is, or another failure
  /// has been recorded.
  private func leftovers(at place: SourcePlace) -> String? {
    let wasSettled = executor.isSettled
    let course = transcript.count
    if holdsAnswers { executor.runOwnUntilIdle() } else { letAllGo() }
    guard !reportFaults(at: place) else { return nil }
    guard running != nil else { return unreduced }
    let waiting =
      holdsAnswers
      ? context.driver.waiting.filter { !excusedAnswers.contains($0.position) } : []
    let busy = busyRuns.filter { !excusedRuns.contains($0.number) }
    // Where nothing has happened since, no run can be on the main actor.
    let areSettled = wasSettled && transcript.count == course
    let lines = lines(on: waiting) + lines(on: busy, areSettled: areSettled)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// What the test has sent to a loop that never ran; nil if that is nothing.
  private var unreduced: String? {
    let waiting = context.driver.waiting
    guard !waiting.isEmpty else { return nil }
    return """
      the loop has never run, so nobody has reduced what was sent:
      \(waiting.map { "  \(text(of: $0))" }.joined(separator: "\n"))
      Call `run()` first.
      """
  }

  private func lines(on waiting: [Driver<System>.Waiting]) -> [String] {
    guard !waiting.isEmpty else { return [] }
    let count = waiting.count == 1 ? "an answer that" : "\(waiting.count) answers that"
    return ["the test finished with \(count) nobody has received:"]
      + waiting.map { "  \(text(of: $0))" }
      + ["Receive or skip it, or let it go with settle()."]
  }

  /// - Parameter areSettled: whether no run can be on the main actor.
  private func lines(on busy: [RunInfo], areSettled: Bool) -> [String] {
    guard !busy.isEmpty else { return [] }
    let count = busy.count == 1 ? "a run was" : "\(busy.count) runs were"
    var lines = ["the test finished while \(count) going:"]
    lines += busy.map { "  \(text(of: $0))\(heldNote($0) ?? "")" }
    let areHeld = busy.allSatisfy { heldNote($0) != nil }
    lines.append(
      areHeld
        ? "Let it end: `answer` it, `end` it, or have the state end it."
        : "Let it end: answer what it waits for, advance its clock, or have the state end it.")
    if let foreignSleepAdvice { lines.append(foreignSleepAdvice) }
    if !areSettled, !areHeld {
      lines.append(
        """
        A run may be on the main actor, for which this step cannot wait: `await` one that does, such \
        as `settle()`, before `finish()`.
        """)
    }
    return lines
  }

  /// Reports what a step has passed over, where exhaustivity is off.
  func reportSkipped(_ waiting: [Driver<System>.Waiting], at place: SourcePlace) {
    guard !waiting.isEmpty else { return }
    let list = waiting.map { "  \(text(of: $0))" }.joined(separator: "\n")
    reporter.note("skipped, since exhaustivity is off:\n\(list)", at: place)
  }
}
