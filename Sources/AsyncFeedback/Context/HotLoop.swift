/// The loop that reduces events, specialised in the module of the system.
///
/// Generic code is specialised only where the concrete types are known, and that is where a context is
/// made. So its inlinable initialiser makes these closures, and every path that handles an event calls
/// them: the rest of the runtime stays plain code that is not inlined anywhere.
@usableFromInline
package final class HotLoop<System: SystemProtocol>: Sendable {
  /// Reduces one event at once, before others that it causes.
  ///
  /// Only while no turn is going.
  @usableFromInline let dispatch: @Sendable (System.Event, _ file: UInt64, _ line: UInt32) -> Ticket
  /// Handles what is queued until the queue is empty or the budget is spent.
  @usableFromInline let drain: @Sendable (_ budget: Int) -> Void
  /// Executes the body of a run.
  @usableFromInline let perform:
    @Sendable (
      Driver<System>, WorkRecord<System.Event>, RunID, _ hasBegun: Bool, isolated Lane
    ) async -> Void
  /// Moves what came from outside to the end of the queue.
  @usableFromInline let collect: @Sendable () -> Void
  /// Queues an event on the executor.
  @usableFromInline
  let queue:
    @Sendable (System.Event, EntryKind, _ detail: UInt32, _ origin: UInt64, UInt64?) -> Ticket
  /// Queues an event from outside the executor, and tells whether it is the first.
  @usableFromInline
  let post:
    @Sendable (System.Event, EntryKind, _ detail: UInt32, _ origin: UInt64) -> (Ticket, Bool)

  @inlinable
  package init(for driver: Driver<System>, reducer: @escaping System.Reducer) {
    // The loop is the driver's own and never outlives it.
    let owner = Unmanaged.passUnretained(driver)
    // Touched by the turn that is going alone, on the executor (law 1).
    nonisolated(unsafe) let hot = driver.hot
    // Touched by the turn alone.
    nonisolated(unsafe) let waiting = driver.queue
    // Touched by the turn alone, but for readers on the executor between turns.
    nonisolated(unsafe) let state = driver.state
    // Constant; what the nodes hold is touched by the turn alone.
    nonisolated(unsafe) let nodes = driver.nodes.unretained
    // Called by the turn alone.
    nonisolated(unsafe) let reducer = reducer
    let inbox = driver.inbox

    @Sendable @inline(__always)
    func push(_ entry: Entry<System.Event>) {
      waiting.pointee.append(entry)
      hot.pointee.queued += 1
    }

    @Sendable @inline(__always)
    func collect() {
      inbox.take()
      while let entry = inbox.taken.pointee.popFirst() {
        if entry.kind.isAnswer {
          owner._withUnsafeGuaranteedRef { $0.queueSent(entry) }
        } else {
          push(entry)
        }
      }
    }

    let deliver: @Sendable (System.Event, RunID) -> Ticket = { event, run in
      guard owner._withUnsafeGuaranteedRef({ $0.isHere }) else {
        let (ticket, isFirst) = inbox.append(
          event, kind: .remoteSent, detail: 0, origin: run.rawValue)
        if isFirst { owner._withUnsafeGuaranteedRef { $0.ring() } }
        return ticket
      }
      let (depth, cascade) = owner._withUnsafeGuaranteedRef { $0.prepareAnswer(event, of: run) }
      if inbox.hasEntries { collect() }
      hot.pointee.issued += 1
      push(
        Entry(
          event: event, kind: .sent, detail: depth, origin: run.rawValue, cascade: cascade))
      let ticket = Ticket(number: hot.pointee.issued, isRemote: false)
      if hot.pointee.isMonitored {
        owner._withUnsafeGuaranteedRef { $0.reportAnswered(event, by: run) }
      }
      if !hot.pointee.isTurning && hot.pointee.queued == 1 {
        owner._withUnsafeGuaranteedRef { $0.ring() }
      }
      return ticket
    }
    dispatch = { event, file, line in
      hot.pointee.issued += 1
      let ticket = Ticket(number: hot.pointee.issued, isRemote: false)
      let entry = Entry<System.Event>(
        event: event, kind: .outside, detail: line, origin: file, cascade: ticket.cascade)
      if hot.pointee.queued == 0 && !inbox.hasEntries {
        Self.process(entry, hot, waiting, state, nodes, owner, reducer)
      } else {
        if inbox.hasEntries { collect() }
        push(entry)
      }
      return ticket
    }
    drain = { budget in
      var left = budget
      while left > 0 {
        if inbox.hasEntries { collect() }
        guard owner._withUnsafeGuaranteedRef({ $0.goesOn }),
          let entry = waiting.pointee.popFirst()
        else { return }
        hot.pointee.queued -= 1
        hot.pointee.handledEntries += 1
        if hot.pointee.handledEntries > hot.pointee.agesAt {
          owner._withUnsafeGuaranteedRef { $0.ageEnded() }
        }
        if entry.kind.isAnswer,
          !Machine.holdsLease(RunID(rawValue: entry.origin), in: &hot.pointee.machine)
        {
          owner._withUnsafeGuaranteedRef { $0.drop(entry) }
          continue
        }
        Self.process(entry, hot, waiting, state, nodes, owner, reducer)
        left -= 1
      }
    }
    self.collect = collect
    queue = { event, kind, detail, origin, cascade in
      if inbox.hasEntries { collect() }
      var ticket = Ticket(number: 0, isRemote: false)
      if kind.isTicketed {
        hot.pointee.issued += 1
        ticket = Ticket(number: hot.pointee.issued, isRemote: false)
      }
      push(
        Entry(
          event: event, kind: kind, detail: detail, origin: origin,
          cascade: cascade ?? ticket.cascade))
      return ticket
    }
    perform = { driver, record, run, hasBegun, lane in
      defer { record.hasEnded = true }
      guard hasBegun || driver.begin(run) else { return driver.end(run, on: lane) }
      do {
        let send = Send(host: driver, run: run, deliver: deliver)
        if let answer = try await record.work.run(lane, send) {
          let (depth, cascade) = driver.prepareAnswer(answer, of: run)
          if inbox.hasEntries { collect() }
          push(
            Entry(
              event: answer, kind: .answer, detail: depth, origin: run.rawValue, cascade: cascade))
          if hot.pointee.isMonitored { driver.reportAnswered(answer, by: run) }
        }
        driver.finish(run, on: lane)
      } catch {
        driver.fail(run, error, on: lane)
      }
    }
    post = { event, kind, detail, origin in
      inbox.append(event, kind: kind, detail: detail, origin: origin)
    }
  }

  /// Performs one transition and what follows from it within the turn.
  @inlinable
  @inline(__always)
  static func process(
    _ entry: Entry<System.Event>, _ hot: UnsafeMutablePointer<Hot>,
    _ queue: UnsafeMutablePointer<EventQueue<Entry<System.Event>>>,
    _ state: UnsafeMutablePointer<System.State>,
    _ nodes: UnsafeMutableBufferPointer<Unmanaged<Node<System>>>,
    _ owner: Unmanaged<Driver<System>>, _ reducer: System.Reducer
  ) {
    hot.pointee.transition += 1
    hot.pointee.cascade = entry.cascade
    hot.pointee.depth = entry.depth
    if hot.pointee.isSpecial { owner._withUnsafeGuaranteedRef { $0.prepare(entry) } }
    let event = entry.event
    if let event {
      reducer(&state.pointee, event)
    } else {
      owner._withUnsafeGuaranteedRef { $0.applyWrite() }
    }
    if entry.kind.isTicketed {
      if entry.kind.isRemote {
        hot.pointee.handledRemote += 1
      } else {
        hot.pointee.handled += 1
      }
    }
    if hot.pointee.isMonitored { owner._withUnsafeGuaranteedRef { $0.reportTransition() } }
    if hot.pointee.isWatched { owner._withUnsafeGuaranteedRef { $0.watch() } }
    if let event {
      withUnsafePointer(to: event) { evaluate(hot, queue, state, $0, nodes, owner) }
    } else {
      evaluate(hot, queue, state, nil, nodes, owner)
    }
  }

  /// Evaluates the feedbacks in the order of their declaration.
  @inlinable
  @inline(__always)
  static func evaluate(
    _ hot: UnsafeMutablePointer<Hot>,
    _ queue: UnsafeMutablePointer<EventQueue<Entry<System.Event>>>,
    _ state: UnsafeMutablePointer<System.State>, _ event: UnsafePointer<System.Event>?,
    _ nodes: UnsafeMutableBufferPointer<Unmanaged<Node<System>>>, _ owner: Unmanaged<Driver<System>>
  ) {
    if hot.pointee.isStarting {
      owner._withUnsafeGuaranteedRef { $0.evaluateEvents(event) }
      return
    }
    for node in nodes {
      node._withUnsafeGuaranteedRef { node in
        guard node.check(&state.pointee, event, node.slot) else { return }
        guard hot.pointee.runsBodies, let answer = node.answer else {
          owner._withUnsafeGuaranteedRef { $0.react(node.index) }
          return
        }
        let run = hot.pointee.machine.answered(node.index)
        guard let event = answer(UnsafePointer(state), node.slot, nil) else { return }
        let depth = hot.pointee.depth &+ 1
        if depth >= hot.pointee.deepFrom {
          owner._withUnsafeGuaranteedRef {
            $0.noteDepth(depth, of: run, event, hot.pointee.cascade)
          }
        }
        hot.pointee.queued += 1
        queue.pointee.append(
          Entry(
            event: event, kind: .answer, detail: depth, origin: run.rawValue,
            cascade: hot.pointee.cascade))
      }
    }
  }
}
