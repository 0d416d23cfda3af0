private import Synchronization

/// Where events from outside the executor wait for the next turn.
@usableFromInline
package final class Inbox<Event: Sendable>: Sendable {
  private struct State {
    var entries: [Entry<Event>] = []
    var issued: UInt64 = 0
  }

  private let state = Lock(State())
  private let flag = Atomic<Bool>(false)

  /// Whether something waits. May lag behind by the instant in which it is being put in.
  @usableFromInline
  package var hasEntries: Bool { flag.load(ordering: .acquiring) }

  /// Puts an event in.
  ///
  /// - Returns: the event's ticket, and whether it is the first that waits.
  package func append(
    _ make: (Ticket) -> Entry<Event>
  ) -> (ticket: Ticket, isFirst: Bool) {
    state.withLock { state in
      state.issued += 1
      let ticket = Ticket(number: state.issued, isRemote: true)
      state.entries.append(make(ticket))
      let isFirst = state.entries.count == 1
      if isFirst { flag.store(true, ordering: .releasing) }
      return (ticket, isFirst)
    }
  }

  /// Takes everything out.
  package func take() -> [Entry<Event>] {
    state.withLock { state in
      flag.store(false, ordering: .releasing)
      defer { state.entries = [] }
      return state.entries
    }
  }
}
