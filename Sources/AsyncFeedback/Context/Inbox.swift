private import Synchronization

/// Where events from outside the executor wait for the next turn.
// The entries are touched under the lock, and what was taken out on the context's executor only.
@usableFromInline package final class Inbox<Event: Sendable>: @unchecked Sendable {
  @usableFromInline let lock = Lock(())
  @usableFromInline let waiting: UnsafeMutablePointer<EventQueue<Entry<Event>>>
  @usableFromInline let taken: UnsafeMutablePointer<EventQueue<Entry<Event>>>
  @usableFromInline var issued: UInt64 = 0
  private let flag = Atomic<Bool>(false)

  init() {
    waiting = .allocate(capacity: 1)
    waiting.initialize(to: EventQueue())
    taken = .allocate(capacity: 1)
    taken.initialize(to: EventQueue())
  }

  deinit {
    waiting.deinitialize(count: 1)
    waiting.deallocate()
    taken.deinitialize(count: 1)
    taken.deallocate()
  }

  /// Whether something waits.
  ///
  /// May lag behind by the instant in which it is being put in.
  @usableFromInline
  package var hasEntries: Bool { flag.load(ordering: .acquiring) }

  @usableFromInline
  func setHasEntries(_ hasEntries: Bool) {
    flag.store(hasEntries, ordering: .releasing)
  }

  /// Puts an event in, or a place for a binding's write.
  ///
  /// - Returns: its ticket, and whether it is the first that waits.
  @inlinable
  func append(
    _ event: Event?, kind: EntryKind, detail: UInt32, origin: UInt64
  ) -> (ticket: Ticket, isFirst: Bool) {
    lock.withLock { _ in
      issued += 1
      let ticket = Ticket(number: issued, isRemote: true)
      let isFirst = waiting.pointee.isEmpty
      waiting.pointee.append(
        Entry(event: event, kind: kind, detail: detail, origin: origin, cascade: ticket.cascade))
      if isFirst { setHasEntries(true) }
      return (ticket, isFirst)
    }
  }

  /// Takes everything out, to be found in `taken`.
  ///
  /// Called on the executor.
  @inlinable
  func take() {
    lock.withLock { _ in
      setHasEntries(false)
      swap(&waiting.pointee, &taken.pointee)
    }
  }
}
