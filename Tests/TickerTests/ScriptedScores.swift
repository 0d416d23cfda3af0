import AsyncFeedback
import Synchronization
import TickerSystem

/// Scores that the test tells.
final class ScriptedScores: ScoreSource {
  private struct State {
    var input: FeedInput<Score, any Error>?
    var watcher: FeedInput<ConnectionStatus, Never>?
    var starts: [String] = []
    var stops = 0
    var told = 0
  }

  private let state = Mutex(State())

  /// Behind which score each start went on.
  var starts: [String] { state.withLock { $0.starts } }
  var stops: Int { state.withLock { $0.stops } }

  func start(
    _ input: FeedInput<Score, any Error>, behind id: String
  ) -> @Sendable () -> Void {
    state.withLock { state in
      state.input = input
      state.starts.append(id)
    }
    return { [self] in state.withLock { $0.stops += 1 } }
  }

  func watch(_ input: FeedInput<ConnectionStatus, Never>) -> @Sendable () -> Void {
    state.withLock { $0.watcher = input }
    return {}
  }

  func burst(_ count: Int) {}

  func tell(_ team: String, _ points: Int) {
    state.withLock { state in
      state.told += 1
      state.input?.send(
        Score(team: team, points: points, number: state.told, id: "\(state.told)"))
    }
  }

  func tell(_ status: ConnectionStatus) {
    state.withLock { $0.watcher }?.send(status)
  }

  func end(throwing error: (any Error)? = nil) {
    let input = state.withLock { $0.input.take() }
    if let error { input?.finish(throwing: error) } else { input?.finish() }
  }
}
