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
        follow()
        if turn(on: lane) {
          await turnstile.pass()
          continue
        }
      }
      await seat.bell.listen()
    }
    // A session that somebody else wants by now begins in his task (law 19).
    stopUnwanted()
    // It may never have begun, so that there was nothing to stop.
    if bench.isOccupied { release() }
    await allRunsEnded()
  }

  /// Does what the attendance wants: ends the session that is not wanted any more, begins a new one.
  private func follow() {
    stopUnwanted()
    guard let wanted = attendance.wanted, activeSession == nil else { return }
    start(session: wanted)
  }

  private func stopUnwanted() {
    if let activeSession, activeSession != attendance.wanted { stop() }
  }

  private func start(session: Int) {
    activeSession = session
    hot.pointee.machine.start()
    performEffects()
    report { .loopStarted }
    if aside == nil, feedbacks.contains(where: \.answersAtOnce) { aside = Aside() }
    // What was sent while the loop was stopped comes first, and then the feedbacks look at the state.
    collect()
    stretch = hot.pointee.transition..<(hot.pointee.transition + hot.pointee.queued)
    hot.pointee.isStarting = true
  }

  /// Handles what was sent while the loop was stopped, as far as the budget goes.
  ///
  /// After the last of it the feedbacks look at the state.
  func goOnStarting(_ budget: Int) {
    hotLoop.drain(min(budget, stretch.upperBound - hot.pointee.transition))
    guard goesOn else { return }
    guard hot.pointee.transition >= stretch.upperBound || hot.pointee.queued == 0 else { return }
    hot.pointee.isStarting = false
    pass(hasReduced: hot.pointee.transition > stretch.lowerBound)
  }

  private func stop() {
    activeSession = nil
    hot.pointee.isStarting = false
    for (paced, outlet) in outlets {
      // What the pace has let through already has happened (law 10).
      if outlet.isWaiting {
        hot.pointee.machine.noteCutOff(paced.feedback, key: paced.key)
        forgetPayload(of: nodes.nodes[paced.feedback])
      }
      outlet.cancel()
    }
    outlets.removeAll()
    let stopped = hot.pointee.machine.session
    hot.pointee.machine.stop()
    performEffects()
    while hot.pointee.due.popFirst() != nil {}
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
    let mine = hot.pointee.machine.runs.filter {
      $0.run.session < session && $0.run.phase != .waiting
    }
    let waiter = Waiter()
    guard !mine.isEmpty else { return }
    bench.add(waiter, for: .ended(Set(mine.map(\.id))))
    await waiter.waitUncancelled()
  }
}

extension Feedback {
  /// Whether the body answers within the turn.
  var answersAtOnce: Bool {
    if case .answer = reaction { true } else { false }
  }
}
