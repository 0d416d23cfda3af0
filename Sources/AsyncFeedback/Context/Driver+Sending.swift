extension Driver {
  /// Begins a turn in the middle of the sender's code, if an event can be reduced right there: on the
  /// executor, outside a turn, while a loop runs.
  @usableFromInline
  func beginInPlace(caller: (any Actor)?, isOwn: Bool) -> Bool {
    guard !turnThread.isCurrent, isOwn || executor.isCurrent(caller: caller) else { return false }
    guard goesOn, allowance == .max else { return false }
    beginTurn(inLoop: false)
    return true
  }

  /// Ends such a turn: the event with the ticket is reduced by then.
  @usableFromInline
  func endInPlace(_ ticket: Ticket) -> Receipt {
    if hot.pointee.queued > 0 || hot.pointee.handled < ticket.number {
      turnInPlace(until: ticket)
    }
    endTurnInPlace()
    return Receipt(host: self, ticket: ticket)
  }

  /// Queues an event: from a turn, from outside the executor, or while no loop runs.
  @usableFromInline
  func sendQueued(_ event: System.Event, file: UInt64, line: UInt32) -> Receipt {
    if turnThread.isCurrent {
      return Receipt(host: self, ticket: hotLoop.queue(event, .outside, line, file, nil))
    }
    let (ticket, isFirst) = hotLoop.post(event, .remoteOutside, line, file)
    if isFirst { attendance.ring() }
    return Receipt(host: self, ticket: ticket)
  }

  /// Applies a binding's write at once, or queues it; readers see it from now on either way.
  ///
  /// Called on the executor.
  func write(_ write: @escaping (inout System.State) -> Void) {
    writes.append(write)
    noteWhetherWatched()
    if beginInPlace(caller: nil, isOwn: true) {
      _ = endInPlace(queueWrite())
      return
    }
    wait(with: write)
  }

  /// Queues a write, and shows it to the readers.
  package func queue(_ write: @escaping (inout System.State) -> Void) {
    writes.append(write)
    noteWhetherWatched()
    wait(with: write)
  }

  private func wait(with write: @escaping (inout System.State) -> Void) {
    let changedDrafts = follow(write)
    showWaiting(write)
    if turnThread.isCurrent {
      // Those who watch are told in its turn: telling them here would interrupt those being told now.
      _ = queueWrite()
      isTellingDue = true
      untoldDrafts.formUnion(changedDrafts)
      return
    }
    if inbox.append(nil, kind: .remoteBinding, detail: 0, origin: 0).isFirst { attendance.ring() }
    changedDrafts.forEach(tellOfDraft)
    tellWatchers()
  }

  /// Gives the newest write its place in the queue.
  private func queueWrite() -> Ticket {
    collect()
    hot.pointee.issued += 1
    let ticket = Ticket(number: hot.pointee.issued, isRemote: false)
    push(
      Entry(event: nil, kind: .binding, detail: 0, origin: 0, cascade: ticket.cascade))
    return ticket
  }

  /// Shows a write that waits to the readers.
  private func showWaiting(_ write: (inout System.State) -> Void) {
    if isPreviewStale, preview != nil { return }
    let shown = preview ?? .allocate(capacity: 1)
    if preview == nil { shown.initialize(to: state.pointee) }
    write(&shown.pointee)
    preview = shown
  }

  /// Applies the oldest write that waits.
  @usableFromInline
  func applyWrite() {
    guard let write = writes.popFirst() else {
      preconditionFailure("a binding's turn must find its write (found none)")
    }
    write(&state.pointee)
    guard writes.isEmpty else {
      isWriteApplied = true
      return
    }
    dropPreview()
    noteWhetherWatched()
  }

  /// Brings the preview up to date after an event was reduced under it.
  func refreshPreview() {
    guard let preview else { return }
    preview.pointee = state.pointee
    writes.forEach { $0(&preview.pointee) }
  }

  func dropPreview() {
    guard let shown = preview.take() else { return }
    shown.deinitialize(count: 1)
    shown.deallocate()
  }
}
