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
    var watcher: FeedInput<ConnectionStatus, Never>?
    var status = ConnectionStatus()
    /// The reconnections of the event sources before the present one.
    var earlierReconnects = 0
    var told = 0
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
    state.withLock { $0.earlierReconnects = $0.status.reconnects }
    let events = EventSource(url, lastEventID: id, options: options, clock: clock)
    let statuses = events.statuses
    let watching = Task {
      for await status in statuses { note(status) }
    }
    let reading = Task {
      do {
        for try await event in events where event.type == "score" { input.send(try read(event)) }
        input.finish()
      } catch {
        input.finish(throwing: error)
      }
    }
    return {
      reading.cancel()
      watching.cancel()
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
    state.withLock { state in
      state.watcher = input
      input.send(state.status)
    }
    return { [weak self] in _ = self?.state.withLock { $0.watcher.take() } }
  }

  private func note(_ status: EventSourceStatus) {
    state.withLock { state in
      state.status.reconnects = state.earlierReconnects + status.reconnects
      state.status.phase =
        switch status.state {
        case .idle, .connecting: .connecting
        case .open: .open
        case .waiting(let delay, attempt: _): .waiting(delay)
        case .closed: .closed
        }
      state.watcher?.send(state.status)
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
