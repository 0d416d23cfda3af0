extension Driver {
  /// Runs the loop until the task is cancelled, and returns when every run that it started has ended.
  package nonisolated(nonsending) func run(_ seat: Attendance.Seat) async {
    await withTaskCancellationHandler {
      await attend(seat, on: lane)
    } onCancel: {
      attendance.leave(seat)
    }
  }

  private func attend(_ seat: Attendance.Seat, on lane: isolated Lane) async {
    while attendance.isPresent(seat) {
      if attendance.isHost(seat) {
        follow(on: lane)
        if turn(on: lane) {
          await Task.yield()
          continue
        }
      }
      await seat.bell.listen()
    }
    follow(on: lane)
    await allRunsEnded()
  }

  /// Does what the attendance wants: ends the session that is not wanted any more, begins a new one.
  private func follow(on lane: isolated Lane) {
    let wanted = attendance.wanted
    if let activeSession, activeSession != wanted { stop() }
    guard let wanted, activeSession == nil else { return }
    start(session: wanted, on: lane)
  }

  private func start(session: Int, on lane: isolated Lane) {
    activeSession = session
    hot.pointee.machine.start()
    report { .loopStarted }
    if aside == nil, feedbacks.contains(where: \.answersAtOnce) { aside = Aside() }
    beginTurn(inLoop: true)
    // What was sent while the loop was stopped comes first, and then the feedbacks look at the state.
    hot.pointee.isStarting = true
    collect()
    hotLoop.drain(hot.pointee.queue.count)
    hot.pointee.isStarting = false
    pass()
    endTurn()
  }

  private func stop() {
    activeSession = nil
    for (paced, outlet) in outlets {
      // What the pace has let through already has happened (law 10).
      if outlet.isHolding { hot.pointee.machine.noteCutOff(paced.feedback, key: paced.key) }
      outlet.cancel()
    }
    outlets.removeAll()
    let stopped = hot.pointee.machine.session
    hot.pointee.machine.stop()
    performEffects()
    aside?.end()
    aside = nil
    report {
      .loopStopped(
        unended: self.hot.pointee.machine.runs.compactMap { id, run in
          run.session == stopped && run.phase == .ending ? self.info(id) : nil
        })
    }
    if bench.isOccupied { release() }
  }

  /// Waits until the runs of the sessions that have ended have ended too.
  private nonisolated(nonsending) func allRunsEnded() async {
    let session = hot.pointee.machine.session
    let mine = hot.pointee.machine.runs.filter { $0.value.session < session && $0.value.phase != .waiting }
    let waiter = Waiter()
    guard !mine.isEmpty else { return }
    bench.add(waiter, for: .ended(Set(mine.keys)))
    await waiter.waitUncancelled()
  }
}

extension Feedback {
  /// Whether the body answers within the turn.
  var answersAtOnce: Bool {
    if case .answer = reaction { true } else { false }
  }
}
