import AsyncFeedback
import AsyncFeedbackTestSupport

/// What happened, in order, from whichever thread; a test can wait for an entry.
final class Entries<Entry: Sendable>: Sendable {
  /// An entry that did not come within a minute.
  struct Missing: Error {
    let index: Int
    let entries: [Entry]
  }

  private struct State {
    var entries: [Entry] = []
    var signals: [Signal] = []
  }

  private let state = Lock(State())

  var all: [Entry] { state.withLock { $0.entries } }
  var count: Int { all.count }

  func note(_ entry: Entry) {
    let signals = state.withLock { state in
      state.entries.append(entry)
      defer { state.signals = [] }
      return state.signals
    }
    for signal in signals { signal.give() }
  }

  /// The entry at an index, as soon as it is there.
  func entry(_ index: Int) async throws -> Entry {
    let signal = Signal()
    while true {
      let entry: Entry? = state.withLock { state in
        if index < state.entries.count { return state.entries[index] }
        state.signals.append(signal)
        return nil
      }
      if let entry { return entry }
      guard case .given = await signal.wait(limit: .seconds(60)) else {
        throw Missing(index: index, entries: all)
      }
    }
  }
}
