internal import AsyncFeedback
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One iteration of an event source: at most one connection at a time, and what is read but not delivered.
///
/// All its work is done within `next()`, in the task of the consumer.
final class EventSourceIteration {
  private let core: EventSourceCore
  private let timer: RunTimer
  /// Has the last event id of the iteration, from its first connection on.
  private var parser: EventStreamParser?
  private var connection: Connection?
  /// What the connection was asked for.
  private var url: URL?
  private var pending: [ServerSentEvent] = []
  private var delivered = 0
  /// What ended the connection, until all events before it are delivered.
  private var ending: Intake.Ending?
  /// How many tries in a row have brought no byte.
  private var attempt = 0
  private var hasBegun = false
  private var isOver = false
  private var isAsked = false

  init(_ core: EventSourceCore) {
    self.core = core
    timer = RunTimer(core.clock)
  }

  deinit {
    // What never began has nothing to say about the source, which another iteration may be reading.
    if hasBegun, !isOver { finish() }
  }

  nonisolated(nonsending) func next() async throws(EventSourceError) -> ServerSentEvent? {
    precondition(
      !isAsked, "an iterator of an event source must have one task waiting (had another)")
    isAsked = true
    defer { isAsked = false }
    while !isOver {
      if Task.isCancelled {
        finish()
      } else if let event = takePending() {
        return event
      } else if let ending {
        self.ending = nil
        try await recover(from: ending)
      } else if let connection {
        handle(await connection.next())
      } else {
        await connect()
      }
    }
    return nil
  }

  private func finish() {
    isOver = true
    connection?.close()
    connection = nil
    core.enter(.closed)
  }
}

// MARK: - Reading

extension EventSourceIteration {
  private func takePending() -> ServerSentEvent? {
    guard delivered < pending.count else { return nil }
    let event = pending[delivered]
    delivered += 1
    var id = event.id
    if delivered == pending.count {
      pending.removeAll(keepingCapacity: true)
      delivered = 0
      // Blocks without data have come behind it, perhaps.
      id = lastEventID
    }
    core.count { status in
      status.events += 1
      status.lastEventID = id
    }
    return event
  }

  /// What the iteration would go on behind if it had to connect now.
  private var lastEventID: String { parser?.lastEventID ?? core.status.lastEventID }

  private func handle(_ item: Intake.Item) {
    switch item {
    case .opened:
      core.enter(.open) { $0.connects += 1 }
    case .bytes(let bytes):
      attempt = 0
      core.count { $0.bytes += bytes.count }
      let earlier = lastEventID
      do throws(EventStreamError) {
        try parser?.feed(bytes, into: &pending)
      } catch {
        ending = .failure(.stream(error, url))
      }
      // An id counts when what came before it is delivered.
      let id = lastEventID
      if pending.isEmpty, id != earlier { core.count { $0.lastEventID = id } }
    case .ended(let ending):
      self.ending = ending
    case .closed:
      finish()
    }
  }
}

// MARK: - Connecting

extension EventSourceIteration {
  private nonisolated(nonsending) func connect() async {
    hasBegun = true
    core.enter(.connecting) { $0.attempts += 1 }
    do {
      let request = try await core.makeRequest()
      guard !Task.isCancelled else { return }
      // Not before, since another iteration may have gone on meanwhile.
      if parser == nil {
        parser = EventStreamParser(
          lastEventID: core.status.lastEventID, limits: core.options.limits)
      }
      url = request.url
      connection = Connection(
        core.complete(request, after: lastEventID), options: core.options, timer: timer)
    } catch {
      // Of a task that is cancelled it is not looked at.
      ending = .failure(.notStarted(error))
    }
  }

  /// Decides what follows a connection, and waits if another one does.
  private nonisolated(nonsending) func recover(
    from ending: Intake.Ending
  ) async throws(EventSourceError) {
    connection?.close()
    connection = nil
    parser?.finish()
    guard case .failure(let failure) = ending else { return finish() }
    core.count { $0.failure = failure }
    switch core.options.decide(failure, lastEventID) {
    case .finish:
      finish()
    case .fail:
      finish()
      throw failure
    case .reconnect:
      attempt += 1
      try await wait(for: delay(after: failure))
    }
  }

  private func delay(after failure: EventSourceError) -> Duration {
    // A server may keep its clients away for a day, not for the rest of their lives.
    let wanted = min(parser?.reconnectionTime ?? core.options.reconnectionTime, .seconds(86_400))
    let delay = wanted + core.options.backoff.delay(attempt)
    guard case .status(_, _, let retryAfter?) = failure else { return delay }
    return max(delay, min(retryAfter, .seconds(86_400)))
  }

  private nonisolated(nonsending) func wait(for delay: Duration) async throws(EventSourceError) {
    core.enter(.waiting(delay, attempt: attempt))
    do {
      try await timer.sleep(until: timer.elapsed() + delay)
    } catch {
      guard !Task.isCancelled else { return }
      finish()
      throw .notStarted(error)
    }
  }
}
