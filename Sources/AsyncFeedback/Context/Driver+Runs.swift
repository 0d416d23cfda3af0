extension Driver {
  /// Lets a trigger through whose pace says so, in a turn or by its timer.
  func pacedFire(_ node: Node<System>, key: RunKey?) {
    if isTurning {
      fire(node, key: key)
      return
    }
    guard goesOn else { return }
    // The timer's task may have been made by a sender, so this counts as somebody else's code.
    beginTurn(inLoop: false)
    hot.pointee.cascade = makeCascade()
    hot.pointee.depth = 0
    fire(node, key: key)
    endTurnInPlace()
  }

  /// Performs what the machine has said.
  func performEffects() {
    for effect in hot.pointee.machine.takeEffects() {
      switch effect {
      case .cancel(let run):
        tasks[run]?.cancel()
        report { .runCancelled(self.info(run)) }
      case .discard(let id, let run):
        works[id] = nil
        report { .runCancelled(self.info(id, run)) }
      case .overflow(let id, let run):
        report { .triggerDropped(self.info(id, run)) }
      case .ignore(let id, let run):
        report { .triggerIgnored(self.info(id, run)) }
      }
    }
  }

  /// Starts what the turn has triggered.
  ///
  /// - Returns: whether anything was started.
  func startDue(on lane: isolated Lane) -> Bool {
    let due = hot.pointee.machine.takeDue()
    for run in due {
      guard let work = works.removeValue(forKey: run) else { continue }
      launch(run, work, on: lane)
    }
    return !due.isEmpty
  }

  private func launch(_ run: RunID, _ work: Work<System.Event>, on lane: isolated Lane) {
    let feedback = feedbacks[run.feedback]
    let work = feedback.modifiers.reduce(work) { work, modifier in modifier(work) }
    let send = Send(host: self, run: run)
    // A run that begins at once must not overtake one that is on its way.
    let task: Task<Void, Never>
    if unbegun == 0, lane.preference == nil,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    {
      task = Task.immediate { await self.perform(run, work, send, on: lane) }
    } else {
      unbegun += 1
      task = Task(executorPreference: lane.preference) {
        _ = lane
        self.unbegun -= 1
        await self.perform(run, work, send, on: lane)
      }
    }
    // A body that never suspends has ended by now.
    if hot.pointee.machine.runs[run] != nil { tasks[run] = task }
  }

  private func perform(
    _ run: RunID, _ work: Work<System.Event>, _ send: Send<System.Event>, on lane: isolated Lane
  ) async {
    guard hot.pointee.machine.begin(run) else {
      end(run, .cancelled, on: lane)
      return
    }
    report { .runStarted(self.info(run)) }
    do {
      end(run, .answered(try await work.run(lane, send)), on: lane)
    } catch {
      end(run, .failed(error), on: lane)
    }
  }

  private enum End {
    case answered(System.Event?)
    case failed(any Error)
    case cancelled
  }

  private func end(_ id: RunID, _ end: End, on lane: isolated Lane) {
    tasks[id] = nil
    guard let run = hot.pointee.machine.runs[id] else { return }
    let info = info(id)
    let isCancelled = run.phase == .ending
    var answer: System.Event?
    switch end {
    case .answered(let event):
      answer = event
      report { isCancelled ? .runEnded(info) : .runFinished(info) }
    case .failed(let error):
      // Whatever a cancelled body throws is silent (law 15).
      guard !isCancelled else {
        report { .runEnded(info) }
        break
      }
      answer = feedbacks[id.feedback].catch?(error)
      if answer == nil { failed(info, error) } else { report { .runFinished(info) } }
    case .cancelled:
      report { .runEnded(info) }
    }
    if let answer {
      report { .answered(info, answer) }
      queueAnswer(answer, of: id, depth: run.depth &+ 1, cascade: run.cascade)
    }
    hot.pointee.machine.end(id)
    performEffects()
    if isTurning { return }
    if turn(on: lane) || !goesOn { attendance.ring() }
    if bench.isOccupied { release() }
  }
}

// MARK: - What bodies call

extension Driver: RunHost {
  package typealias Event = System.Event

  package func receive(_ event: System.Event, from run: RunID) -> Receipt {
    if turnThread.isCurrent || executor.isCurrent(caller: nil) {
      return Receipt(host: self, ticket: receiveOnExecutor(event, from: run), run: run)
    }
    let (ticket, isFirst) = inbox.append { ticket in
      Entry(
        event: event, kind: [.answer, .ticketed, .remote], detail: 0, origin: run.rawValue,
        cascade: 0)
    }
    if isFirst { attendance.ring() }
    return Receipt(host: self, ticket: ticket, run: run)
  }

  private func receiveOnExecutor(_ event: System.Event, from id: RunID) -> Ticket {
    if inbox.hasEntries { collect() }
    hot.pointee.issued += 1
    let ticket = Ticket(number: hot.pointee.issued, isRemote: false)
    let run = hot.pointee.machine.runs[id]
    let depth = (run?.depth ?? 0) &+ 1
    if depth >= hot.pointee.deepFrom { noteDepth(depth, of: id, event, run?.cascade ?? 0) }
    hot.pointee.queue.append(
      Entry(
        event: event, kind: [.answer, .ticketed], detail: depth, origin: id.rawValue,
        cascade: run?.cascade ?? makeCascade()))
    report { .answered(self.info(id), event) }
    if !isTurning { attendance.ring() }
    return ticket
  }

  package func park(_ run: RunID, _ isParked: Bool) {
    hot.pointee.machine.park(run, isParked, cascade: isParked ? 0 : makeCascade())
    if bench.isOccupied { release() }
  }

  package func hold(_ run: RunID, _ isHeld: Bool) {
    hot.pointee.machine.hold(run, isHeld)
    if bench.isOccupied { release() }
  }
}
