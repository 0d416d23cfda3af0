extension Machine {
  /// Begins a session: what the last one left waiting becomes due as far as there is room.
  package mutating func start() {
    session += 1
    for (id, run) in runs where run.phase == .waiting {
      remove(id)
      insert(
        Run(
          key: run.key, phase: .waiting, session: session, startedBy: run.startedBy,
          cascade: run.cascade, depth: run.depth), as: id)
    }
    for feedback in members.indices {
      for key in keys(of: feedback) { promote(feedback, key) }
    }
  }

  /// Ends the session.
  ///
  /// A run that has not finished counts as not having happened: it is cancelled, its lease
  /// withdrawn, and its trigger noted, to be evaluated anew at the next start. Triggers that wait
  /// in a queue survive; what finished keeps its lease (law 10).
  package mutating func stop() {
    for feedback in members.indices {
      for key in keys(of: feedback) {
        guard let slot = slot(feedback, key) else { continue }
        for id in slot.alive {
          cutOff[feedback, default: []].insert(key)
          cancel(id)
        }
        if case .latestAfterCleanup = members[feedback].policy {
          for id in slot.waiting {
            cutOff[feedback, default: []].insert(key)
            discard(id)
          }
        }
        // The next session does not wait for what ignores its cancellation.
        withSlot(feedback, key) { $0.ending.removeAll() }
      }
    }
    busyCount = 0
    session += 1
  }

  /// Notes that a stop cut off a trigger which had not led to a run yet.
  package mutating func noteCutOff(_ feedback: Int, key: RunKey?) {
    cutOff[feedback, default: []].insert(key)
  }

  /// Takes the keys of a feedback whose runs the last stop cut off.
  package mutating func takeCutOff(_ feedback: Int) -> Set<RunKey?> {
    cutOff.removeValue(forKey: feedback) ?? []
  }
}
