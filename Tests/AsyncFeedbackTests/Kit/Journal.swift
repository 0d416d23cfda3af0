import AsyncFeedback

/// What happened, in order, from whichever thread.
final class Journal<Entry: Sendable>: Sendable {
  private let lock = Lock<[Entry]>([])

  var entries: [Entry] { lock.withLock { $0 } }
  var count: Int { lock.withLock { $0.count } }
  var isEmpty: Bool { count == 0 }

  func note(_ entry: Entry) {
    lock.withLock { $0.append(entry) }
  }

  /// Notes an entry in the body of a feedback.
  func note<Event>(_ entry: Entry, answering event: Event?) -> Event? {
    note(entry)
    return event
  }

  func clear() {
    lock.withLock { $0.removeAll() }
  }
}

/// Keeps what a monitor is told.
struct JournalMonitor<System: SystemProtocol>: ContextMonitor {
  let journal = Journal<MonitorRecord<System>>()

  func receive<Other: SystemProtocol>(_ record: MonitorRecord<Other>) {
    if let record = record as? MonitorRecord<System> { journal.note(record) }
  }
}
