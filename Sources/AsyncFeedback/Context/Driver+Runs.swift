extension Driver {
  /// Lets a trigger through whose pace says so, in a turn or by its timer.
  func pacedFire(_ node: Node<System>, key: RunKey?) {
    if isTurning {
      fire(node, key: key)
      return
    }
    guard goesOn else {
      // The loop was stopped and has not followed yet, so this trigger is cut off (law 10).
      hot.pointee.machine.noteCutOff(node.index, key: key)
      return
    }
    // The timer's task may have been made by a sender, so this counts as somebody else's code.
    beginTurn(inLoop: false)
    hot.pointee.cascade = makeCascade()
    hot.pointee.depth = 0
    fire(node, key: key)
    endTurnInPlace()
  }

  /// Performs what the machine has said.
  func performEffects() {
    guard hot.pointee.machine.hasEffects else { return }
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
    guard hot.pointee.machine.begin(run) else { return end(run, on: lane) }
    if isMonitored { report { .runStarted(self.info(run)) } }
    do {
      let answer = try await work.run(lane, send)
      finish(run, answer: answer, on: lane)
    } catch {
      fail(run, error, on: lane)
    }
  }

  private func isCancelled(_ run: RunID) -> Bool {
    hot.pointee.machine.runs[run]?.phase == .ending
  }

  /// What becomes of an error: nothing, an event, or a report.
  private func fail(_ id: RunID, _ error: any Error, on lane: isolated Lane) {
    // Whatever a cancelled body throws is silent (law 15).
    if isCancelled(id) { return finish(id, answer: nil, on: lane) }
    if let answer = feedbacks[id.feedback].catch?(error) {
      return finish(id, answer: answer, on: lane)
    }
    failed(info(id), error)
    end(id, on: lane)
  }

  private func finish(_ id: RunID, answer: System.Event?, on lane: isolated Lane) {
    if let answer, let run = hot.pointee.machine.runs[id] {
      if isMonitored { report { .answered(self.info(id), answer) } }
      queueAnswer(answer, of: id, depth: run.depth &+ 1, cascade: run.cascade)
    }
    if isMonitored { report { isCancelled(id) ? .runEnded(info(id)) : .runFinished(info(id)) } }
    end(id, on: lane)
  }

  private func end(_ id: RunID, on lane: isolated Lane) {
    tasks[id] = nil
    if isMonitored, hot.pointee.machine.runs[id] != nil { reported.ended[id] = info(id) }
    hot.pointee.machine.end(id)
    sender = Sender()
    performEffects()
    if isTurning { return }
    if turn(on: lane) || !goesOn { attendance.ring() }
    if bench.isOccupied { release() }
  }
}

// MARK: - What bodies call

extension Driver: RunHost {
  package typealias Event = System.Event

  package func giveVoice(to run: RunID) -> Voice {
    hot.pointee.machine.giveVoice(to: run)
    return Voice(of: run, silent: silent)
  }

  package func receive(_ event: System.Event, from run: RunID) -> Receipt {
    if turnThread.isCurrent || executor.isCurrent(caller: nil) {
      return Receipt(host: self, ticket: receiveOnExecutor(event, from: run), run: run)
    }
    let (ticket, isFirst) = hotLoop.post(event, .remoteSent, 0, run.rawValue)
    if isFirst { attendance.ring() }
    return Receipt(host: self, ticket: ticket, run: run)
  }

  private func receiveOnExecutor(_ event: System.Event, from run: RunID) -> Ticket {
    if sender.run != run { sender = Sender(run, hot.pointee.machine.runs[run]) }
    let depth = sender.depth &+ 1
    if depth >= hot.pointee.deepFrom { noteDepth(depth, of: run, event, sender.cascade) }
    let ticket = hotLoop.queue(event, .sent, depth, run.rawValue, sender.cascade)
    if isMonitored { report { .answered(self.info(run), event) } }
    if !isTurning && hot.pointee.queue.count == 1 { attendance.ring() }
    return ticket
  }

  /// Queues what a body sent from outside the executor, with what is known only here.
  @usableFromInline
  func queueSent(_ entry: Entry<System.Event>) {
    guard let event = entry.event else { return }
    let id = RunID(rawValue: entry.origin)
    let run = hot.pointee.machine.runs[id]
    var entry = entry
    entry.detail = (run?.depth ?? 0) &+ 1
    if let run { entry.cascade = run.cascade }
    if entry.detail >= hot.pointee.deepFrom {
      noteDepth(entry.detail, of: id, event, entry.cascade)
    }
    hot.pointee.queue.append(entry)
    if isMonitored { report { .answered(self.info(id), event) } }
  }

  package func park(_ run: RunID, _ isParked: Bool) {
    hot.pointee.machine.park(run, isParked, cascade: isParked ? 0 : makeCascade())
    sender = Sender()
    guard bench.isOccupied else { return }
    // Whether the wait is one shows when the lane is free: what a sequence has ready it gives at once.
    if isParked { _ = lane.start { [weak self] _ in self?.release() } } else { release() }
  }

  package func hold(_ run: RunID, _ isHeld: Bool) {
    hot.pointee.machine.hold(run, isHeld)
    if bench.isOccupied { release() }
  }
}

/// The run that sent last, since one that sends much does so in a row.
struct Sender {
  var run: RunID?
  var depth: UInt32 = 0
  var cascade: UInt64 = 0

  init() {}

  init(_ id: RunID, _ run: Machine.Run?) {
    self.run = id
    depth = run?.depth ?? 0
    cascade = run?.cascade ?? 0
  }
}
