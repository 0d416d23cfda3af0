package import AsyncFeedback
import Synchronization

/// Scores made up in memory, which change in bursts, the same way for the same seed.
///
/// Whoever starts to listen is told all scores that stand, and then each change.
package final class ScoreBoard: ScoreSource {
  private struct State {
    var random: SplitMix64
    var points: [Int]
    var told = 0
    var listeners: [Int: FeedInput<Score, any Error>] = [:]
    var nextListener = 0

    mutating func score(of team: Int) -> Score {
      defer { told += 1 }
      return Score(team: ScoreBoard.name(of: team), points: points[team], number: told)
    }
  }

  private let state: Mutex<State>

  package init(teams: Int = 20, seed: UInt64 = 1) {
    state = Mutex(State(random: SplitMix64(seed), points: Array(repeating: 0, count: teams)))
  }

  package func start(
    _ input: FeedInput<Score, any Error>, behind id: String
  ) -> @Sendable () -> Void {
    let listener = state.withLock { state in
      for team in state.points.indices { input.send(state.score(of: team)) }
      defer { state.nextListener += 1 }
      state.listeners[state.nextListener] = input
      return state.nextListener
    }
    return { [weak self] in
      // What goes may have to be told that it is over, which is not to happen under the lock.
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: listener) }
    }
  }

  package func watch(_ input: FeedInput<ConnectionStatus, Never>) -> @Sendable () -> Void {
    input.send(ConnectionStatus(phase: .open))
    return {}
  }

  package func burst(_ count: Int) {
    // Sending never waits, so it can be done in the order that the lock gives.
    state.withLock { state in
      for _ in 0..<count {
        let team = Int.random(in: state.points.indices, using: &state.random)
        state.points[team] += Int.random(in: 1...3, using: &state.random)
        let score = state.score(of: team)
        for listener in state.listeners.values { listener.send(score) }
      }
    }
  }

  /// A place and a kind: twenty names by themselves, then the same again with a number.
  private static func name(of team: Int) -> String {
    let places = ["Harbour", "Mill", "Castle", "Station", "Garden"]
    let kinds = ["Rovers", "Athletic", "Wanderers", "United"]
    let name = "\(places[team % 5]) \(kinds[team / 5 % 4])"
    return team < 20 ? name : "\(name) \(team / 20 + 1)"
  }
}

/// A generator of random numbers (Steele, Lea, Flood 2014).
private struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
