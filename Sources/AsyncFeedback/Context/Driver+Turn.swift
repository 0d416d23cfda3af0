extension Driver {
  /// How many events one turn handles before it gives the executor up (law 4).
  static var budget: Int { 1_000 }

  /// Whether the session that is running is still wanted.
  @usableFromInline
  var goesOn: Bool { activeSession != nil && attendance.wanted == activeSession }

  /// Moves what came from outside to the end of the queue.
  func collect() {
    if inbox.hasEntries { hotLoop.collect() }
  }

  /// Queues an entry.
  func push(_ entry: Entry<System.Event>) {
    queue.pointee.append(entry)
    hot.pointee.queued += 1
  }

  /// Goes through turns in a task of the loop's, until nothing is left or the budget is spent.
  ///
  /// A turn handles events until the queue is empty; then the runs that it triggered start, and what
  /// they answer at once is the next turn's. Where runs cannot start in place they begin behind the
  /// turn, and the next one waits until the last has: answers come in the same order either way.
  ///
  /// - Returns: whether something is left.
  func turn(on lane: isolated Lane) -> Bool {
    guard !hot.pointee.isTurning, hot.pointee.unbegun == 0, goesOn else { return false }
    beginTurn(inLoop: true)
    defer { endTurn() }
    let first = hot.pointee.transition
    if hot.pointee.isStarting {
      goOnStarting(Self.budget)
      guard !hot.pointee.isStarting else { return goesOn }
    }
    while goesOn {
      handle(upTo: Self.budget - (hot.pointee.transition - first))
      // Nothing starts before the queue is empty, also where a test handles one event at a time.
      guard hot.pointee.queued == 0 else { return goesOn && allowance > 0 }
      guard startDue(on: lane) else { break }
    }
    return false
  }

  /// Handles what is queued, as far as the allowance of a test goes.
  private func handle(upTo budget: Int) {
    let first = hot.pointee.transition
    hotLoop.drain(min(budget, allowance))
    if allowance != .max { allowance -= hot.pointee.transition - first }
    if hot.pointee.queued == 0 { queueDidEmpty() }
  }

  private func queueDidEmpty() {
    if !silent.isEmpty {
      let runs = silent.take()
      // The last word of a run comes before its silence, so it is in the inbox by now or was handled.
      if inbox.hasEntries { silent.add(runs) } else { hot.pointee.machine.fellSilent(runs) }
    }
    hot.pointee.machine.queueDidEmpty()
    hot.pointee.agesAt = .max
    watchAge()
    if isMonitored {
      reported.age()
      reported.age()
    }
  }

  /// Notes that what was queued a generation ago is handled.
  @usableFromInline
  func ageEnded() {
    hot.pointee.machine.ageEnded()
    reported.age()
    hot.pointee.agesAt = .max
    watchAge()
  }

  /// Has what ended runs keep age once the present content of the queue is handled.
  private func watchAge() {
    guard hot.pointee.agesAt == .max else { return }
    guard hot.pointee.machine.endedCount > 0 || !reported.ended.isEmpty else { return }
    hot.pointee.agesAt = hot.pointee.handledEntries + UInt64(hot.pointee.queued) + 1
  }

  func beginTurn(inLoop: Bool) {
    hot.pointee.isTurning = true
    hot.pointee.isInLoop = inLoop
    hot.pointee.runsBodies = inLoop && !isMonitored
    turnThread.enter()
  }

  func endTurn() {
    leaveTurn()
    if isTellingDue { tellOfWaiting() }
    if bench.isOccupied { release() }
  }

  func leaveTurn() {
    turnThread.leave()
    hot.pointee.isTurning = false
    hot.pointee.isInLoop = false
    hot.pointee.runsBodies = false
  }

  /// Handles events in the middle of the sender's own code, at least up to the one with the ticket.
  func turnInPlace(until ticket: Ticket) {
    let first = hot.pointee.transition
    while goesOn {
      let left = Self.budget - (hot.pointee.transition - first)
      if left > 0 {
        handle(upTo: left)
      } else if hot.pointee.handled < ticket.number {
        handle(upTo: 1)
      } else {
        break
      }
      if hot.pointee.queued == 0 { break }
    }
  }

  /// Ends a turn in the middle of the sender's code; what is left is for the loop's own task.
  func endTurnInPlace() {
    endTurn()
    if !hot.pointee.due.isEmpty || hot.pointee.queued > 0 || inbox.hasEntries {
      attendance.ring()
    }
  }
}

// MARK: - Evaluation

extension Driver {
  /// Reacts to what a feedback's check has found.
  ///
  /// The hot loop does the common case by itself.
  @usableFromInline
  func react(_ index: Int) {
    let node = nodes.nodes[index]
    guard node.details.isLevel else {
      trigger(node, key: nil)
      return
    }
    for change in node.details.feedback.sensor.changes(node.slot) {
      switch change.kind {
      case .entered: trigger(node, key: change.key)
      case .replaced:
        // What the earlier value has started must not be heard while the new one waits for its pace.
        if node.details.pace != nil {
          hot.pointee.machine.outdate(node.index, key: change.key)
          performEffects()
        }
        trigger(node, key: change.key)
      case .left: leave(node, key: change.key)
      }
    }
  }

  /// Evaluates only the feedbacks that wait for events: the pass over the others is still to come.
  @usableFromInline
  func evaluateEvents(_ event: UnsafePointer<System.Event>?) {
    for node in nodes.nodes {
      guard case .event = node.details.feedback.sensor.kind else { continue }
      if node.check(&state.pointee, event, node.slot) { react(node.index) }
    }
  }

  /// Evaluates all feedbacks at the start of a loop.
  ///
  /// - Parameter hasReduced: whether something that was sent while the loop was stopped came before.
  func pass(hasReduced: Bool) {
    // What the last of the waiting events has led to includes what the feedbacks make of it.
    if !hasReduced { hot.pointee.cascade = makeCascade() }
    hot.pointee.depth = 0
    let isFirst = isFirstPass
    isFirstPass = false
    for node in nodes.nodes {
      let sensor = node.details.feedback.sensor
      let cutOff = hot.pointee.machine.takeCutOff(node.index)
      switch sensor.kind {
      case .event:
        break
      case .once:
        if isFirst || !cutOff.isEmpty { trigger(node, key: nil) }
      case .change:
        let hasChanged = node.check(&state.pointee, nil, node.slot)
        if hasChanged || isFirst || !cutOff.isEmpty { trigger(node, key: nil) }
      case .condition:
        guard isFirst || hasReduced || !cutOff.isEmpty else { break }
        if node.check(&state.pointee, nil, node.slot) { trigger(node, key: nil) }
      case .level:
        let hasChanged = node.check(&state.pointee, nil, node.slot)
        let changed = hasChanged ? Set(sensor.changes(node.slot).map(\.key)) : []
        for key in cutOff where !changed.contains(key) && sensor.isPresent(node.slot, key) {
          trigger(node, key: key)
        }
        if hasChanged { react(node.index) }
      }
    }
  }

  /// Lets a trigger through, now or at its pace.
  private func trigger(_ node: Node<System>, key: RunKey?) {
    guard let pace = node.details.pace else {
      fire(node, key: key)
      return
    }
    let paced = Paced(feedback: node.index, key: key)
    let outlet = outlets[paced] ?? makeOutlet(pace, for: node, paced)
    outlets[paced] = outlet
    outlet.receive(hot.pointee.cascade)
  }

  /// Starts a run, or answers at once.
  func fire(_ node: Node<System>, key: RunKey?) {
    guard let makeWork = node.details.makeWork else {
      answerInLoop(node, key)
      return
    }
    let cause = Machine.Cause(
      transition: hot.pointee.transition, cascade: hot.pointee.cascade, depth: hot.pointee.depth)
    if let run = hot.pointee.machine.fire(node.index, key: key, cause: cause) {
      let record = makeWork(UnsafePointer(state), node.slot, key, node.details.elementPace)
      if node.details.hasModifiers { node.details.modify(record) }
      record.run = run.id
      if run.isDue { hot.pointee.due.append(record) } else { records[run.id] = record }
    } else {
      forgetPayload(of: node)
    }
    performEffects()
  }

  /// Has a feedback that waits for events keep nothing of one that it does not react to.
  func forgetPayload(of node: Node<System>) {
    guard case .event = node.details.feedback.sensor.kind else { return }
    _ = node.details.makeWork?(UnsafePointer(state), node.slot, nil, nil)
  }

  private func answerInLoop(_ node: Node<System>, _ key: RunKey?) {
    guard case .answer(let answer) = node.details.feedback.reaction else { return }
    if hot.pointee.isInLoop {
      answerAtOnce(answer, node, key)
    } else if let aside {
      aside.perform { answerAtOnce(answer, node, key) }
    }
  }

  private func answerAtOnce(
    _ answer: (Sensor<System>.Look, Sensor<System>.Slot, RunKey?) -> System.Event?,
    _ node: Node<System>, _ key: RunKey?
  ) {
    let run =
      key.map { hot.pointee.machine.answered(node.index, key: $0) }
      ?? hot.pointee.machine.answered(node.index)
    let event = answer(UnsafePointer(state), node.slot, key)
    if let event {
      queueAnswer(event, of: run, depth: hot.pointee.depth &+ 1, cascade: hot.pointee.cascade)
    }
    if isMonitored { reportAnswer(event, of: run, key: key) }
    if key != nil || isMonitored { watchAge() }
  }

  /// Ends a key of a level.
  private func leave(_ node: Node<System>, key: RunKey?) {
    let paced = Paced(feedback: node.index, key: key)
    if key == nil, node.details.pace?.kind == .throttle {
      // The window of a throttle goes on: whoever comes back in it has to wait for its end.
      outlets[paced]?.drop()
    } else {
      outlets.removeValue(forKey: paced)?.cancel()
    }
    hot.pointee.machine.leave(node.index, key: key)
    performEffects()
  }

  private func makeOutlet(
    _ pace: Pace, for node: Node<System>, _ paced: Paced
  ) -> PacedOutlet<UInt64> {
    PacedOutlet(
      pace, lane: lane,
      emit: { [unowned self, unowned node] cascade in
        pacedFire(node, key: paced.key, cascade: cascade)
      },
      noteWaiting: { [unowned self] isWaiting in
        pacedWaiting += isWaiting ? 1 : -1
        if !hot.pointee.isTurning, bench.isOccupied { release() }
      })
  }

  /// Queues an answer of a feedback.
  func queueAnswer(_ event: System.Event, of run: RunID, depth: UInt32, cascade: UInt64) {
    if depth >= hot.pointee.deepFrom { noteDepth(depth, of: run, event, cascade) }
    _ = hotLoop.queue(event, .answer, depth, run.rawValue, cascade)
  }
}
