private import Synchronization

/// Who wants the loop of a context to run.
///
/// Several loops on one context are one: it runs while anybody is here. Coming and going is possible from
/// any thread and takes effect at the call; the driver follows on its executor.
package final class Attendance: Sendable {
  private struct State {
    var present: [Seat] = []
    /// Counts the starts and the stops: odd while somebody is here.
    var session = 0
  }

  /// One loop.
  package final class Seat: Sendable {
    package let bell = Bell()
  }

  private let state = Lock(State())
  private let sessionNumber = Atomic<Int>(0)

  /// The number of the session that is to run, or nil while nobody is here.
  package var wanted: Int? {
    let number = sessionNumber.load(ordering: .acquiring)
    return number.isMultiple(of: 2) ? nil : number
  }

  package func enter(_ seat: Seat) {
    state.withLock { state in
      state.present.append(seat)
      if state.present.count == 1 {
        state.session += 1
        sessionNumber.store(state.session, ordering: .releasing)
      }
    }
    ring()
  }

  /// Leaves, if the seat is still taken, and wakes the loop so that it notices.
  package func leave(_ seat: Seat) {
    let wasPresent = state.withLock { state in
      guard let index = state.present.firstIndex(where: { $0 === seat }) else { return false }
      state.present.remove(at: index)
      if state.present.isEmpty {
        state.session += 1
        sessionNumber.store(state.session, ordering: .releasing)
      }
      return true
    }
    guard wasPresent else { return }
    seat.bell.ring()
    ring()
  }

  package func isPresent(_ seat: Seat) -> Bool {
    state.withLock { state in state.present.contains { $0 === seat } }
  }

  /// Whether this one of those present drives the turns.
  package func isHost(_ seat: Seat) -> Bool {
    state.withLock { $0.present.first === seat }
  }

  /// Wakes the one that drives the turns.
  package func ring() {
    state.withLock { $0.present.first }?.bell.ring()
  }
}
