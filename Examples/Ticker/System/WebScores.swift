package import AsyncFeedback
package import Foundation
package import ServerSentEvents
import Synchronization

/// Scores from a server that sends events of the type `score`, each with an id and data such as
/// `{ "team": "Mill Rovers", "points": 3 }`.
///
/// Events of other types are passed over. One that cannot be read ends the scores with an error.
package final class WebScores: ScoreSource {
  private struct State {
    var watchers: [Int: FeedInput<ConnectionStatus, Never>] = [:]
    var nextWatcher = 0
    var status = ConnectionStatus()
    /// The number of the event source that is followed, nil while none is.
    var source: Int?
    var nextSource = 0
    /// The reconnections of the event sources before the present one.
    var earlierReconnects = 0
    var told = 0

    mutating func note(_ phase: ConnectionStatus.Phase, reconnects: Int) {
      status.phase = phase
      status.reconnects = earlierReconnects + reconnects
      for watcher in watchers.values { watcher.send(status) }
    }
  }

  private let url: URL
  private let options: EventSourceOptions
  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  package init(
    _ url: URL, options: EventSourceOptions = EventSourceOptions(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.url = url
    self.options = options
    self.clock = clock
  }

  package func start(
    _ input: FeedInput<Score, any Error>, behind id: String
  ) -> @Sendable () -> Void {
    let number = beginSource()
    let events = EventSource(url, lastEventID: id, options: options, clock: clock)
    let statuses = events.statuses
    let watching = Task {
      for await status in statuses { note(status, of: number) }
    }
    let reading = Task {
      do {
        for try await event in events where event.type == "score" { input.send(try read(event)) }
        input.finish()
      } catch {
        input.finish(throwing: error)
      }
    }
    return { [self] in
      reading.cancel()
      watching.cancel()
      endSource(number, events.status)
    }
  }

  private func read(_ event: ServerSentEvent) throws -> Score {
    let content: Content
    do {
      content = try JSONDecoder().decode(Content.self, from: Data(event.data.utf8))
    } catch {
      throw ScoreError("event \(event.id) is not a score: \(event.data.prefix(80))")
    }
    return state.withLock { state in
      defer { state.told += 1 }
      return Score(
        team: content.team, points: content.points, number: state.told, id: event.id)
    }
  }

  private struct Content: Decodable {
    let team: String
    let points: Int
  }

  package func watch(_ input: FeedInput<ConnectionStatus, Never>) -> @Sendable () -> Void {
    let number = state.withLock { state in
      input.send(state.status)
      defer { state.nextWatcher += 1 }
      state.watchers[state.nextWatcher] = input
      return state.nextWatcher
    }
    return { [weak self] in
      // What goes may have to be told that it is over, which is not to happen under the lock.
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
    }
  }

  /// Begins to follow an event source in the place of the one before.
  func beginSource() -> Int {
    state.withLock { state in
      defer { state.nextSource += 1 }
      state.source = state.nextSource
      state.earlierReconnects = state.status.reconnects
      state.note(.connecting, reconnects: 0)
      return state.nextSource
    }
  }

  /// Tells how an event source stands, unless another is followed by now: what the task of an earlier one
  /// still says is of the past.
  func note(_ status: EventSourceStatus, of source: Int) {
    state.withLock { state in
      guard source == state.source else { return }
      let phase: ConnectionStatus.Phase =
        switch status.state {
        case .idle, .connecting: .connecting
        case .open: .open
        case .waiting(let delay, attempt: _): .waiting(delay)
        case .closed: .closed
        }
      state.note(phase, reconnects: status.reconnects)
    }
  }

  /// Follows an event source no longer, whose status tells what its task has not told yet.
  func endSource(_ source: Int, _ status: EventSourceStatus) {
    state.withLock { state in
      guard source == state.source else { return }
      state.source = nil
      state.note(.closed, reconnects: status.reconnects)
    }
  }

  package func burst(_ count: Int) {
    // The server decides when there is something to tell.
  }
}

/// Why a score could not be read.
package struct ScoreError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
