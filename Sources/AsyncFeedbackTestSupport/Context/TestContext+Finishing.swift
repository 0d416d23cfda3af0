internal import AsyncFeedback

extension TestContext {
  /// Stops the loop.
  ///
  /// It is a failure if a run is still going that does not wait inside the library and, where the test is
  /// exhaustive, if an answer waits that nobody has received. With `exhaustivity` off both are reported
  /// and fail nothing.
  ///
  /// This is synchronous and does not wait for the main actor. A run that goes there counts as going,
  /// even if it could have come back in the meantime, until a step that is awaited has seen it end. So
  /// where nothing was awaited since `run()`, `await` a step such as `settle()` first.
  public func finish(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let wasSettled = executor.isSettled
    let course = transcript.count
    if holdsAnswers { executor.runOwnUntilIdle() } else { letAllGo() }
    if !reportFaults(at: place) {
      reportLeftovers(areSettled: wasSettled && transcript.count == course, at: place)
    }
    running?.stop()
    running = nil
    letAllGo()
    reportRestlessness(at: place)
    transcriptOutput?("\(place): transcript of \(System.self)\n\(transcript.text())")
  }

  /// Records what is left at the end of the test.
  ///
  /// - Parameter areSettled: whether no run can be on the main actor.
  private func reportLeftovers(areSettled: Bool, at place: SourcePlace) {
    guard running != nil else { return }
    let waiting = holdsAnswers ? context.driver.waiting : []
    let busy = context.driver.aliveRuns.filter {
      $0.run.isBusy && !reportedRuns.contains($0.info.number)
    }
    guard !waiting.isEmpty || !busy.isEmpty else { return }
    var lines: [String] = []
    if !waiting.isEmpty {
      let count = waiting.count == 1 ? "an answer that" : "\(waiting.count) answers that"
      lines.append("the test finished with \(count) nobody has received:")
      lines += waiting.map { "  \(text(of: $0))" }
      lines.append("Receive or skip it, or let it go with settle().")
    }
    if !busy.isEmpty {
      let count = busy.count == 1 ? "a run was" : "\(busy.count) runs were"
      lines.append("the test finished while \(count) going:")
      lines += busy.map { "  \(text(of: $0.info))\(heldNote($0.info) ?? "")" }
      let areHeld = busy.allSatisfy { heldNote($0.info) != nil }
      lines.append(
        areHeld
          ? "Let it end: `answer` it, `end` it, or have the state end it."
          : "Let it end: answer what it waits for, advance its clock, or have the state end it.")
      if !areSettled, !areHeld {
        lines.append(
          """
          A run may be on the main actor, for which this step cannot wait: `await` one that does, such \
          as `settle()`, before `finish()`.
          """)
      }
    }
    let message = lines.joined(separator: "\n")
    if exhaustivity == .off {
      reporter.note("\(message)\n\(situation)", at: place)
    } else {
      record(message, at: place)
    }
  }

  /// Reports what a step has passed over, where exhaustivity is off.
  func reportSkipped(_ waiting: [Driver<System>.Waiting], at place: SourcePlace) {
    guard !waiting.isEmpty else { return }
    let list = waiting.map { "  \(text(of: $0))" }.joined(separator: "\n")
    reporter.note("skipped, since exhaustivity is off:\n\(list)", at: place)
  }
}
