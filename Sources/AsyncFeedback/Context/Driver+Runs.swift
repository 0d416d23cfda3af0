extension Driver {
  /// Lets a trigger through whose pace says so, in a turn or by its timer.
  ///
  /// What it leads to still belongs to the cascade that it came from, but a wait on a clock was among
  /// it (law 5).
  func pacedFire(_ node: Node<System>, key: RunKey?, cascade: UInt64) {
    if hot.pointee.isTurning {
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
    hot.pointee.cascade = cascade
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
        records[run]?.task?.cancel()
        report { .runCancelled(self.info(run)) }
      case .start(let run):
        if let record = records.removeValue(forKey: run) { hot.pointee.due.append(record) }
      case .discard(let id, let run):
        records[id] = nil
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
    guard !hot.pointee.due.isEmpty else { return false }
    var starting = DueRuns()
    swap(&hot.pointee.due, &starting)
    while let record = starting.popFirst() { launch(record, on: lane) }
    return true
  }

  private func launch(_ record: RunRecord, on lane: isolated Lane) {
    // Only this driver makes records, and only with work for its own events.
    let record = unsafeDowncast(record, to: WorkRecord<System.Event>.self)
    let run = record.run
    // A run that begins at once must not overtake one that is on its way.
    let task: Task<Void, Never>
    if hot.pointee.unbegun == 0, !hasPreference,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    {
      guard begin(run) else { return }
      task = Task.immediate { await self.hotLoop.perform(self, record, run, true, lane) }
    } else {
      guard hot.pointee.machine.isDue(run) else { return }
      hot.pointee.unbegun += 1
      lane.noteBeginning()
      task = Task(executorPreference: lane.preference) {
        _ = lane
        self.hot.pointee.unbegun -= 1
        // The loop goes on behind this, when the body has ended or waits.
        if self.hot.pointee.unbegun == 0 { self.attendance.ring() }
        await self.hotLoop.perform(self, record, run, false, lane)
      }
    }
    // A body that never suspends has ended by now.
    guard !record.hasEnded else { return }
    record.task = task
    records[run] = record
  }

  /// Notes that a body begins; false for one that must not.
  @usableFromInline
  func begin(_ run: RunID) -> Bool {
    guard let begun = hot.pointee.machine.begin(run) else { return false }
    hot.pointee.sender = Sender(run: run, depth: begun.depth, cascade: begun.cascade)
    if isMonitored { report { .runStarted(self.info(run)) } }
    return true
  }

  /// Finds what the answer of a run follows from, and says how deep it is in its chain.
  @usableFromInline
  func prepareAnswer(_ event: System.Event, of id: RunID) -> (depth: UInt32, cascade: UInt64) {
    if hot.pointee.sender.run != id {
      hot.pointee.sender = Sender(id, hot.pointee.machine.runs[id])
    }
    let sender = hot.pointee.sender
    let depth = sender.depth &+ 1
    if depth >= hot.pointee.deepFrom { noteDepth(depth, of: id, event, sender.cascade) }
    return (depth, sender.cascade)
  }

  /// Ends a run whose body has returned.
  @usableFromInline
  func finish(_ id: RunID, on lane: isolated Lane) {
    if isMonitored {
      report { self.isCancelled(id) ? .runEnded(self.info(id)) : .runFinished(self.info(id)) }
    }
    end(id, on: lane)
  }

  /// Ends a run whose body has thrown: it answers by its route, or the error is reported.
  @usableFromInline
  func fail(_ id: RunID, _ error: any Error, on lane: isolated Lane) {
    // Whatever a cancelled body throws is silent (law 15).
    if isCancelled(id) { return finish(id, on: lane) }
    guard let answer = feedbacks[id.feedback].catch?(error) else {
      failed(info(id), error)
      return end(id, on: lane)
    }
    let (depth, cascade) = prepareAnswer(answer, of: id)
    _ = hotLoop.queue(answer, .answer, depth, id.rawValue, cascade)
    if isMonitored { reportAnswered(answer, by: id) }
    finish(id, on: lane)
  }

  private func isCancelled(_ run: RunID) -> Bool {
    hot.pointee.machine.runs[run]?.phase == .ending
  }

  /// Ends a run.
  @usableFromInline
  func end(_ id: RunID, on lane: isolated Lane) {
    // What the body sent from elsewhere is in the inbox by now, and is part of what the run is part of.
    collect()
    if !records.isEmpty { records[id] = nil }
    if isMonitored, hot.pointee.machine.runs[id] != nil { reported.ended[id] = info(id) }
    hot.pointee.machine.end(id)
    hot.pointee.sender.run = nil
    performEffects()
    if hot.pointee.isTurning { return }
    if turn(on: lane) || !goesOn { attendance.ring() }
    if bench.isOccupied { release() }
  }
}

// MARK: - What bodies call

extension Driver: RunHost {
  @usableFromInline package typealias Event = System.Event

  @usableFromInline
  package func giveVoice(to run: RunID) -> Voice {
    hot.pointee.machine.giveVoice(to: run)
    return Voice(of: run, silent: silent)
  }

  /// Whether the calling code runs on the executor.
  @usableFromInline
  var isHere: Bool { turnThread.isCurrent || executor.isCurrent(caller: nil) }

  /// Wakes the loop.
  @usableFromInline
  func ring() {
    attendance.ring()
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
    push(entry)
    if isMonitored { reportAnswered(event, by: id) }
  }

  @usableFromInline
  package func park(_ run: RunID, _ isParked: Bool) {
    hot.pointee.machine.park(run, isParked, cascade: isParked ? 0 : makeCascade())
    hot.pointee.sender = Sender()
    guard bench.isOccupied else { return }
    // Whether the wait is one shows when the lane is free: what a sequence has ready it gives at once.
    if isParked { _ = lane.start { [weak self] _ in self?.release() } } else { release() }
  }

  @usableFromInline
  package var handling: Int? { hot.pointee.isTurning ? hot.pointee.transition : nil }

  @usableFromInline
  package nonisolated(nonsending) func giveWay() async {
    await turnstile.pass()
  }

  @usableFromInline
  package func hold(_ run: RunID, _ isHeld: Bool) {
    hot.pointee.machine.hold(run, isHeld)
    if bench.isOccupied { release() }
  }
}
