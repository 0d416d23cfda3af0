extension Machine {
  /// Takes a trigger: the run starts, waits, or is not to be, by the policy.
  ///
  /// - Returns: the run's number, and whether it starts at the end of the turn; nil for a trigger that
  ///   is dropped or ignored, as the effects say.
  package mutating func fire(
    _ feedback: Int, key: RunKey?, cause: Cause
  ) -> (id: RunID, isDue: Bool)? {
    let id = takeNumber(feedback)
    var run = Run(
      key: key, phase: .due, session: session, startedBy: cause.transition,
      cascade: cause.cascade, depth: cause.depth)
    switch members[feedback].policy {
    case .latest:
      replace(feedback, key)
      if key == nil { members[feedback].lowestValid = id.serial }
    case .latestAfterCleanup:
      replace(feedback, key)
      if key == nil { members[feedback].lowestValid = id.serial }
      if isOccupied(feedback, key) { run.phase = .waiting }
    case .overlapping(let limit, let bound):
      let slot = slot(feedback, key) ?? Slot()
      if slot.alive.count + slot.ending.count >= limit {
        guard slot.waiting.count < bound else {
          effects.append(.overflow(id, run))
          return nil
        }
        run.phase = .waiting
      }
    case .dropping:
      // One that was cancelled because its level was left is no reason to miss the next.
      if slot(feedback, key)?.alive.isEmpty == false {
        effects.append(.ignore(id, run))
        return nil
      }
    }
    insert(run, as: id)
    let isDue = run.phase == .due
    if key == nil, isDue {
      members[feedback].slot.alive.append(id)
    } else {
      withSlot(feedback, key) { slot in
        if isDue { slot.alive.append(id) } else { slot.waiting.append(id) }
      }
    }
    return (id, isDue)
  }

  /// Ends a key of a level: its runs are cancelled, its triggers forgotten, its leases withdrawn.
  package mutating func leave(_ feedback: Int, key: RunKey?) {
    if key == nil { members[feedback].lowestValid = members[feedback].nextSerial }
    cutOff[feedback]?.remove(key)
    for id in slot(feedback, key)?.waiting ?? [] { discard(id) }
    for id in slot(feedback, key)?.alive ?? [] { cancel(id) }
    withdrawAnswered(feedback, key)
  }

  /// Notes that the value behind a key of a level is another one now, whose own trigger has yet to come.
  ///
  /// The policies that keep only the newest let go of what the earlier value has started.
  package mutating func outdate(_ feedback: Int, key: RunKey?) {
    switch members[feedback].policy {
    case .latest, .latestAfterCleanup: leave(feedback, key: key)
    case .overlapping, .dropping: break
    }
  }

  /// Notes that a body begins.
  ///
  /// Nil for a run that was cancelled before: it must not.
  package mutating func begin(_ id: RunID) -> (depth: UInt32, cascade: UInt64)? {
    // A run that is due and one that runs are busy alike.
    let begun = runs.update(id) { run -> (depth: UInt32, cascade: UInt64)? in
      guard run.phase == .due else { return nil }
      run.phase = .running
      return (run.depth, run.cascade)
    }
    return begun ?? nil
  }

  /// Notes that a run has ended; others that waited for it become due.
  ///
  /// - Returns: whether it ended by itself, that is, was not cancelled.
  @discardableResult
  package mutating func end(_ id: RunID) -> Bool {
    guard let run = remove(id) else { return false }
    let endedByItself = run.phase != .ending
    guard run.session == session || endedByItself else { return false }
    let feedback = id.feedback
    guard run.key != nil else {
      members[feedback].slot.alive.removeFirst(id)
      if !endedByItself { members[feedback].slot.ending.remove(id) }
      if !members[feedback].slot.waiting.isEmpty { promote(feedback, nil) }
      return endedByItself
    }
    withSlot(feedback, run.key) { slot in
      slot.alive.removeFirst(id)
      slot.ending.remove(id)
      if endedByItself { slot.answered.append(id) }
    }
    if endedByItself { young.slots.append((feedback, run.key)) }
    promote(feedback, run.key)
    return endedByItself
  }

  /// Notes that a run waits inside the library, or goes on after such a wait.
  ///
  /// What follows a wait is caused by the wait, so the run then has a cascade of its own.
  package mutating func park(_ id: RunID, _ isParked: Bool, cascade: UInt64) {
    update(id) { run in
      run.isParked = isParked
      if !isParked {
        run.cascade = cascade
        run.depth = 0
      }
    }
  }

  /// Notes that a value of a run waits for its pace, or waits no more.
  package mutating func hold(_ id: RunID, _ isHeld: Bool) {
    update(id) { $0.held += isHeld ? 1 : -1 }
  }

  /// Takes the lease of everything under a key and cancels what runs.
  private mutating func replace(_ feedback: Int, _ key: RunKey?) {
    if key == nil, members[feedback].slot.isEmpty { return }
    for id in slot(feedback, key)?.waiting ?? [] { discard(id) }
    for id in slot(feedback, key)?.alive ?? [] { cancel(id) }
    withdrawAnswered(feedback, key)
  }

  private mutating func withdrawAnswered(_ feedback: Int, _ key: RunKey?) {
    guard key != nil else { return }
    withdrawEnded(
      withSlot(feedback, key) { slot in
        defer { slot.answered.removeAll() }
        return slot.answered
      })
  }

  private func isOccupied(_ feedback: Int, _ key: RunKey?) -> Bool {
    guard let slot = slot(feedback, key) else { return false }
    return !slot.alive.isEmpty || !slot.ending.isEmpty
  }

  /// Cancels a run that is due or running.
  mutating func cancel(_ id: RunID) {
    guard let run = runs[id] else { return }
    withdrawn.insert(id)
    guard run.phase == .running else {
      discard(id)
      return
    }
    update(id) { $0.phase = .ending }
    withSlot(id.feedback, run.key) { slot in
      slot.alive.removeFirst(id)
      slot.ending.insert(id)
    }
    effects.append(.cancel(id))
  }

  /// Forgets a run that has not begun.
  mutating func discard(_ id: RunID) {
    guard let run = runs[id] else { return }
    remove(id)
    withSlot(id.feedback, run.key) { slot in
      slot.alive.removeFirst(id)
      slot.waiting.removeFirst(id)
    }
    effects.append(.discard(id, run))
  }

  /// Lets those that waited become due, as far as the policy has room.
  mutating func promote(_ feedback: Int, _ key: RunKey?) {
    let limit: Int
    switch members[feedback].policy {
    case .overlapping(let most, _): limit = most
    case .latest, .latestAfterCleanup, .dropping: limit = 1
    }
    while let slot = slot(feedback, key), let next = slot.waiting.first,
      slot.alive.count + slot.ending.count < limit
    {
      withSlot(feedback, key) { slot in
        slot.waiting.removeFirst()
        slot.alive.append(next)
      }
      update(next) { $0.phase = .due }
      effects.append(.start(next))
    }
  }
}

extension [RunID] {
  /// Removes a run, which mostly is the oldest.
  fileprivate mutating func removeFirst(_ id: RunID) {
    if let index = firstIndex(of: id) { remove(at: index) }
  }
}
