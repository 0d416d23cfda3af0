extension Driver {
  /// Whether nothing goes on that does not wait inside the library (law 20).
  package var isQuiet: Bool {
    if goesOn != (attendance.wanted != nil) { return false }
    if activeSession == nil { return hot.pointee.queued == 0 && !inbox.hasEntries }
    return isAtRest && hot.pointee.machine.isQuiet && pacedWaiting == 0
  }

  /// Whether nothing is queued and no turn is going.
  private var isAtRest: Bool { hot.pointee.queued == 0 && isBetweenTurns }

  /// Whether no turn is going, nor anything on its way to the queue.
  private var isBetweenTurns: Bool {
    !inbox.hasEntries && !hot.pointee.isTurning && !hot.pointee.isStarting
  }

  /// Whether something is queued that belongs to a cascade.
  ///
  /// What belongs to others may never end.
  private func isQueued(of cascade: UInt64) -> Bool {
    var isQueued = false
    queue.pointee.forEach { entry in
      if !isQueued { isQueued = belongs(entry.cascade, to: cascade) }
    }
    return isQueued
  }

  /// Whether a trigger waits for its pace that belongs to a cascade.
  private func isPaced(of cascade: UInt64) -> Bool {
    pacedWaiting > 0
      && outlets.values.contains { outlet in
        outlet.pending.map { belongs($0, to: cascade) } ?? false
      }
  }

  /// Whether the end of a run is still to come for somebody who may be a run himself.
  ///
  /// What waits for its turn is, unless it waits for the very run that asks.
  private func isYetToEnd(_ id: RunID, _ run: Machine.Run, awaitedBy asking: RunID?) -> Bool {
    guard run.phase == .waiting else { return id != asking && run.isBusy }
    guard let asking, asking.feedback == id.feedback else { return true }
    return hot.pointee.machine.runs[asking]?.key != run.key
  }

  /// Waits for a moment, for the task's cancellation, or for the end of the context.
  package nonisolated(nonsending) func wait(for moment: WaitingBench.Moment) async {
    let waiter = Waiter()
    await take(waiter, moment, on: lane)
    await waiter.wait()
    bench.remove(waiter)
  }

  private func take(_ waiter: Waiter, _ moment: WaitingBench.Moment, on lane: isolated Lane) {
    bench.add(waiter, for: moment)
    release()
  }

  /// Waits while a condition holds, which is looked at now and whenever a turn has ended.
  @MainActor
  package func wait(while condition: () -> Bool) async {
    while !Task.isCancelled, !bench.isClosed {
      let waiter = Waiter()
      // On the bench before the look, so that no turn ends unnoticed in between.
      bench.add(waiter, for: .turn)
      defer { bench.remove(waiter) }
      guard condition() else { return }
      await waiter.wait()
    }
  }

  /// Lets those go whose moment has come.
  func release() {
    bench.release { hasCome($0) }
  }

  private func hasCome(_ moment: WaitingBench.Moment) -> Bool {
    switch moment {
    case .handled(let ticket):
      isHandled(ticket)
    case .settled(let cascade, let exception):
      isBetweenTurns && !isQueued(of: cascade) && !isPaced(of: cascade)
        && !hot.pointee.machine.runs.contains { id, run in
          isYetToEnd(id, run, awaitedBy: exception) && belongs(run.cascade, to: cascade)
        }
    case .quiet:
      isQuiet
    case .turn:
      !hot.pointee.isTurning
    case .ended(let runs):
      runs.allSatisfy { hot.pointee.machine.runs[$0] == nil }
    }
  }

  func isHandled(_ ticket: Ticket) -> Bool {
    ticket.number <= (ticket.isRemote ? hot.pointee.handledRemote : hot.pointee.handled)
  }

  private func belongs(_ cascade: UInt64, to ancestor: UInt64) -> Bool {
    var next: UInt64? = cascade
    while let cascade = next {
      if cascade == ancestor { return true }
      next = parents[cascade]
    }
    return false
  }

  /// Waits until what an event has caused has ended.
  nonisolated(nonsending) func settle(_ ticket: Ticket, run: RunID?) async {
    let cascade = await follow(ticket, run: run, on: lane)
    await wait(for: .handled(ticket))
    if !Task.isCancelled { await wait(for: .settled(cascade, except: run)) }
    await unfollow(ticket, on: lane)
  }

  /// Gives what an event of a run causes a cascade of its own within the run's, so that its end can be
  /// told from the end of the rest.
  private func follow(_ ticket: Ticket, run: RunID?, on lane: isolated Lane) -> UInt64 {
    guard let run else { return ticket.cascade }
    if let cascade = followed[ticket] { return cascade }
    guard !isHandled(ticket) else {
      return hot.pointee.machine.runs[run]?.cascade ?? ticket.cascade
    }
    let cascade = makeCascade()
    followed[ticket] = cascade
    hot.pointee.isSpecial = true
    return cascade
  }

  private func unfollow(_ ticket: Ticket, on lane: isolated Lane) {
    guard let cascade = followed.removeValue(forKey: ticket) else { return }
    parents[cascade] = nil
    hot.pointee.isSpecial = hot.pointee.isMonitored || !followed.isEmpty
  }
}

extension Driver: ReceiptHost {
  @usableFromInline
  package nonisolated(nonsending) func handled(_ ticket: Ticket) async {
    await wait(for: .handled(ticket))
  }

  @usableFromInline
  package nonisolated(nonsending) func settled(_ ticket: Ticket, run: RunID?) async {
    await settle(ticket, run: run)
  }
}
