/// A team that is shown, with its points.
package struct Leader: Sendable, Equatable, Identifiable {
  package let team: String
  package let points: Int

  package var id: String { team }
}

extension Ticker {
  /// The best of the teams, the best first.
  package static func leaders(of points: [String: Int], rows: Int) -> [Leader] {
    let leaders = points.map { Leader(team: $0.key, points: $0.value) }
      .sorted { ($1.points, $0.team) < ($0.points, $1.team) }
    return Array(leaders.prefix(rows))
  }
}

extension Ticker.State {
  /// The teams that are shown, the best first.
  package var leaders: [Leader] { Ticker.leaders(of: points, rows: rows) }
}

extension Ticker.Phase {
  /// The phase in a word.
  package var name: String {
    switch self {
    case .live: "live"
    case .paused: "paused"
    case .ended: "ended"
    case .failed: "failed"
    }
  }
}
