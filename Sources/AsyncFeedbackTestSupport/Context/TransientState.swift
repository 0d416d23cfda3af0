public import AsyncFeedback

/// A state that must not stand when nothing is alive that could end it.
struct TransientState<State> {
  let name: String
  /// The feedbacks whose runs can end it; any feedback's if there are none.
  let enders: [String]
  let holds: (State) -> Bool
  /// Whether it was found stuck and has not ended since.
  var isReported = false

  /// Whether an event that waits can end it.
  func canBeEnded<System: SystemProtocol>(by cause: MonitorRecord<System>.Cause) -> Bool {
    guard !enders.isEmpty, case .feedback(let run) = cause else { return true }
    return enders.contains(run.feedback.name)
  }
}

extension TestContext {
  /// Marks a state as one that passes: it is a failure of any step that ends at rest in it with nothing
  /// alive that could end it.
  ///
  /// A spinner that nobody stops is found in this way in every test of a system, whatever the test is
  /// about. Alive is every run, also one that waits inside the library, a trigger that waits for its pace,
  /// and an answer that waits to be received; where the feedbacks that can end it are named, only theirs.
  ///
  /// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
  /// ```swift
  /// TestContext(state: .init(), system: Counter())
  ///   .transient("cheering", endedBy: "calm down") { state in state.message != nil }
  /// ```
  ///
  /// - Parameters:
  ///   - name: what the failure calls it.
  ///   - feedbacks: the names of the feedbacks that can end it; without any every feedback can. Name them
  ///     where others, such as a stream that is always open, are alive all the time.
  ///   - holds: whether the system is in it.
  @discardableResult
  public func transient(
    _ name: String, endedBy feedbacks: String..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    while holds: @escaping (System.State) -> Bool
  ) -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    if let complaint = desk.complaint(aboutEnders: feedbacks) {
      // What nobody can end would be found stuck at every step.
      reporter.record(complaint, at: place)
    } else {
      transientStates.append(TransientState(name: name, enders: feedbacks, holds: holds))
    }
    return self
  }

  /// Records transient states that nothing can end any more.
  ///
  /// - Returns: whether there are any.
  func reportStuckStates(at place: SourcePlace) -> Bool {
    guard !transientStates.isEmpty, context.isRunning else { return false }
    var isStuck = false
    let driver = context.driver
    let waiting = driver.waiting
    let alive = Set(driver.aliveRuns.map(\.info.feedback.name))
    for index in transientStates.indices {
      let transient = transientStates[index]
      let canEnd =
        driver.isWaitingForPace || waiting.contains { transient.canBeEnded(by: $0.cause) }
        || (transient.enders.isEmpty ? !alive.isEmpty : !alive.isDisjoint(with: transient.enders))
      guard transient.holds(state), !canEnd else {
        transientStates[index].isReported = false
        continue
      }
      guard !transient.isReported else { continue }
      transientStates[index].isReported = true
      isStuck = true
      let others = transient.enders.isEmpty ? [] : alive.sorted()
      let note =
        others.isEmpty
        ? ""
        : "\nAlive is \(others.joined(separator: ", ")), which `endedBy:` does not name: name what can end it."
      let nobody =
        transient.enders.isEmpty
        ? "nothing" : "no run of \(transient.enders.joined(separator: " or "))"
      record(
        """
        the state is stuck in "\(transient.name)": it is at rest, and \(nobody) is alive that could end it.
        The run that should have ended it was cancelled, has answered nil, or was never triggered: see \
        the transcript. Or it has answered, and the reducer has left the state standing. Let each of its \
        ends answer with an event that leaves the state.\(note)
        """, at: place)
    }
    return isStuck
  }
}
