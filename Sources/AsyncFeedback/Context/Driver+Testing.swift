// What the test support sees and steers. Called on the test's thread while the context's executor, which
// the test drives, is at rest.
extension Driver {
  /// The runs that have not ended, in the order of their numbers.
  package var aliveRuns: [(info: RunInfo, run: Machine.Run)] {
    hot.pointee.machine.runs.sorted { $0.id.rawValue < $1.id.rawValue }
      .map { (info($0.id, $0.run), $0.run) }
  }

  /// The events that wait for their turn, the next one first.
  package var waitingEvents: [String] {
    collect()
    var events: [String] = []
    queue.pointee.forEach { entry in
      events.append(entry.event.map { describe($0) } ?? "a write of a binding")
    }
    return events
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
    attendance.ring()
  }
}
