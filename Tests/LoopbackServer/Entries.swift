internal import AsyncFeedback
internal import AsyncFeedbackTestSupport

/// What happened, in order, from whichever thread; a test can wait for an entry.
package final class Entries<Entry: Sendable>: Sendable {
  /// An entry that did not come within a minute.
  package struct Missing: Error {
    package let index: Int
    package let entries: [Entry]
  }

  private struct State {
    var entries: [Entry] = []
    var signals: [Signal] = []
  }

  private let state = Lock(State())

  package init() {}

  package var all: [Entry] { state.withLock { $0.entries } }
  package var count: Int { all.count }

  package func note(_ entry: Entry) {
    let signals = state.withLock { state in
      state.entries.append(entry)
      defer { state.signals = [] }
      return state.signals
    }
    for signal in signals { signal.give() }
  }

  /// The entry at an index, as soon as it is there.
  package func entry(_ index: Int) async throws -> Entry {
    let signal = Signal()
    while true {
      let entry: Entry? = state.withLock { state in
        if index < state.entries.count { return state.entries[index] }
        state.signals.append(signal)
        return nil
      }
      if let entry { return entry }
      guard case .given = await signal.wait(limit: .seconds(300)) else {
        throw Missing(index: index, entries: all)
      }
    }
  }
}
