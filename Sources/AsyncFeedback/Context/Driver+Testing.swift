// What the test support sees and steers. Called on the test's thread while the context's executor, which
// the test drives, is at rest.
extension Driver {
  /// The runs that have not ended, in the order of their numbers.
  package var aliveRuns: [(info: RunInfo, run: Machine.Run)] {
    hot.pointee.machine.runs.sorted { $0.id.rawValue < $1.id.rawValue }
      .map { (info($0.id, $0.run), $0.run) }
  }

  /// What the feedbacks are called, in the order of their declaration.
  package var declarations: [Declaration] { feedbacks.map(\.declaration) }

  /// Whether a trigger waits for its pace.
  package var isWaitingForPace: Bool { pacedWaiting > 0 }

  /// An event, or without one a write of a binding, that waits for its turn.
  package struct Waiting {
    package let event: System.Event?
    package let cause: MonitorRecord<System>.Cause
    /// Its place in everything that was ever queued.
    package let position: UInt64
  }

  /// What waits for its turn, the next one first; without what will be dropped.
  package var waiting: [Waiting] {
    collect()
    var waiting: [Waiting] = []
    var position = hot.pointee.handledEntries
    queue.pointee.forEach { entry in
      position += 1
      if entry.kind.isAnswer, !hot.pointee.machine.holdsLease(RunID(rawValue: entry.origin)) {
        return
      }
      waiting.append(Waiting(event: entry.event, cause: cause(of: entry), position: position))
    }
    return waiting
  }

  /// Replaces the state without a transition: nobody is told, and feedbacks see the difference at the
  /// next transition.
  package func replaceState(_ newState: System.State) {
    state.pointee = newState
    if preview != nil { isPreviewStale = true }
  }

  /// Lets the loop handle so many events and then stop until it is let go on.
  package func allow(_ count: Int) {
    allowance = count
    if count > 0 { attendance.ring() }
  }
}
