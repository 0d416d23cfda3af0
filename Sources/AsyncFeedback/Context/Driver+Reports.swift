/// What the monitor is to see of the event that is being handled.
struct Reported<System: SystemProtocol> {
  /// The state before the transition; at most one. (A list, so that the driver's layout does not depend
  /// on the state.)
  var before: [System.State] = []
  /// The runs that have ended with answers that may still be in the queue, in two generations.
  var ended: [RunID: RunInfo] = [:]
  var older: [RunID: RunInfo] = [:]

  mutating func age() {
    guard !ended.isEmpty || !older.isEmpty else { return }
    older = ended
    ended = [:]
  }
}

extension Driver {
  /// Tells the monitor; without one this is one branch.
  ///
  /// What the monitor sends is queued, here as in the middle of a turn.
  func report(_ record: () -> MonitorRecord<System>) {
    guard let monitor else { return }
    guard !hot.pointee.isTurning else { return monitor.receive(record()) }
    beginTurn(inLoop: false)
    monitor.receive(record())
    leaveTurn()
    // It is no turn's end: what is reported may be half done, so nobody is let go here.
    if hot.pointee.queued > 0 { attendance.ring() }
  }

  /// Tells the monitor of an answer, which is in the queue by now.
  @usableFromInline
  func reportAnswered(_ event: System.Event, by run: RunID) {
    report { .answered(self.info(run), event) }
  }

  @usableFromInline
  package func info(_ id: RunID) -> RunInfo {
    if let run = hot.pointee.machine.runs[id] { return info(id, run) }
    return reported.ended[id] ?? reported.older[id] ?? info(id, key: nil, startedBy: 0)
  }

  func info(_ id: RunID, _ run: Machine.Run) -> RunInfo {
    info(id, key: run.key, startedBy: run.startedBy)
  }

  func info(_ id: RunID, key: RunKey?, startedBy: Int) -> RunInfo {
    RunInfo(
      number: id.rawValue, feedback: feedbacks[id.feedback].declaration,
      key: key.map { describe($0.id.base) }, startedBy: startedBy)
  }

  /// Tells the monitor about a body that has ended within its trigger.
  func reportAnswer(_ event: System.Event?, of run: RunID, key: RunKey?) {
    let info = info(run, key: key, startedBy: hot.pointee.transition)
    report { .runStarted(info) }
    if let event {
      reported.ended[run] = info
      report { .answered(info, event) }
    }
    report { .runFinished(info) }
  }

  /// Does what an entry needs beyond being reduced.
  @usableFromInline
  func prepare(_ entry: Entry<System.Event>) {
    if entry.kind.isTicketed, !followed.isEmpty {
      let isRemote = entry.kind.isRemote
      let ticket = Ticket(
        number: (isRemote ? hot.pointee.handledRemote : hot.pointee.handled) + 1,
        isRemote: isRemote)
      if let cascade = followed[ticket] {
        parents[cascade] = hot.pointee.cascade
        hot.pointee.cascade = cascade
      }
    }
    guard monitor != nil else { return }
    reported.before = [state.pointee]
    report {
      .event(entry.event, number: self.hot.pointee.transition, cause: self.cause(of: entry))
    }
  }

  /// Tells the monitor about the transition that has just been made.
  @usableFromInline
  func reportTransition() {
    guard let before = reported.before.popLast() else { return }
    report {
      .transition(number: self.hot.pointee.transition, from: before, to: self.state.pointee)
    }
  }

  /// Where an entry of the queue came from.
  func cause(of entry: Entry<System.Event>) -> MonitorRecord<System>.Cause {
    if entry.kind.isAnswer { return .feedback(info(RunID(rawValue: entry.origin))) }
    if entry.kind.isBinding { return .binding }
    // The address of a string that is part of the program.
    let file = UnsafePointer<CChar>(bitPattern: UInt(entry.origin))
    return .outside(fileID: file.map { String(cString: $0) } ?? "", line: Int(entry.detail))
  }

  /// Notes that an answer is not reduced, since its run has lost its lease.
  @usableFromInline
  func drop(_ entry: Entry<System.Event>) {
    if entry.kind.isTicketed {
      if entry.kind.isRemote {
        hot.pointee.handledRemote += 1
      } else {
        hot.pointee.handled += 1
      }
    }
    guard let event = entry.event else { return }
    report { .answerDropped(self.info(RunID(rawValue: entry.origin)), event) }
  }

  /// Reports an error that has become no event.
  func failed(_ info: RunInfo, _ error: any Error) {
    if monitor == nil {
      complain("\(info) failed: \(error); give it a `catch` that makes an event of it")
    }
    report { .runFailed(info, error) }
  }

  /// Notes a link of a long chain of events, and reports the chain when it reaches the limit.
  @usableFromInline
  func noteDepth(_ depth: UInt32, of run: RunID, _ event: System.Event, _ cascade: UInt64) {
    guard let runawayLimit else { return }
    chain.note(event, of: run.feedback, depth: depth)
    guard depth == UInt32(clamping: runawayLimit) else { return }
    guard chain.reportedCascades.insert(cascade).inserted else { return }
    let report = RunawayReport(
      count: runawayLimit,
      cycle: chain.cycle.map {
        .init(feedback: feedbacks[$0.feedback].declaration, event: describe($0.event))
      })
    if monitor == nil { complain("\(report)") }
    self.report { .runaway(report) }
  }
}

/// The last links of a chain of events that cause each other.
struct Chain<Event> {
  static var length: Int { 64 }

  struct Link {
    let feedback: Int
    let depth: UInt32
    let event: Event
  }

  private var links: [Link] = []
  /// The cascades that have been reported, so that each is reported once.
  var reportedCascades: Set<UInt64> = []

  mutating func note(_ event: Event, of feedback: Int, depth: UInt32) {
    if let last = links.last, depth <= last.depth { links.removeAll { $0.depth >= depth } }
    if links.count == Self.length { links.removeFirst() }
    links.append(Link(feedback: feedback, depth: depth, event: event))
  }

  /// The shortest tail after which the feedbacks repeat.
  var cycle: ArraySlice<Link> {
    for length in 1...max(1, links.count / 2) {
      let tail = links.suffix(length)
      let before = links.dropLast(length).suffix(length)
      if tail.map(\.feedback) == before.map(\.feedback) { return tail }
    }
    return links[...]
  }
}
