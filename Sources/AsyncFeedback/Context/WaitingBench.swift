private import Synchronization

/// Those who wait for something to happen in a context.
package final class WaitingBench: Sendable {
  package enum Moment: Sendable {
    /// The event with the ticket was reduced or dropped.
    case handled(Ticket)
    /// What belongs to a cascade has ended, not counting one run.
    case settled(UInt64, except: RunID?)
    case quiet
    /// A turn has ended.
    case turn
    /// The runs have ended.
    case ended(Set<RunID>)
  }

  private struct State {
    var waiting: [(waiter: Waiter, moment: Moment)] = []
    var isClosed = false
  }

  private let state = Lock(State())
  private let occupied = Atomic<Bool>(false)

  /// Whether the context has gone.
  package var isClosed: Bool { state.withLock(\.isClosed) }

  package var isOccupied: Bool { occupied.load(ordering: .relaxed) }

  package func add(_ waiter: Waiter, for moment: Moment) {
    let isClosed = state.withLock { state in
      if case .ended = moment {} else if state.isClosed { return true }
      state.waiting.append((waiter, moment))
      occupied.store(true, ordering: .relaxed)
      return false
    }
    if isClosed { waiter.resume() }
  }

  package func remove(_ waiter: Waiter) {
    state.withLock { state in
      state.waiting.removeAll { $0.waiter === waiter }
      occupied.store(!state.waiting.isEmpty, ordering: .relaxed)
    }
  }

  /// Lets go those whose moment has come.
  package func release(where hasCome: (Moment) -> Bool) {
    let released = state.withLock { state in
      let released = state.waiting.filter { hasCome($0.moment) }
      guard !released.isEmpty else { return [Waiter]() }
      state.waiting.removeAll { hasCome($0.moment) }
      occupied.store(!state.waiting.isEmpty, ordering: .relaxed)
      return released.map(\.waiter)
    }
    for waiter in released { waiter.resume() }
  }

  /// Lets everybody go who waits for a context, which has gone.
  package func close() {
    let released = state.withLock { state in
      state.isClosed = true
      let released = state.waiting.filter { if case .ended = $0.moment { false } else { true } }
      state.waiting.removeAll { if case .ended = $0.moment { false } else { true } }
      return released.map(\.waiter)
    }
    for waiter in released { waiter.resume() }
  }
}
