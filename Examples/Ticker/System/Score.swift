/// The points of a team, as a source has told them.
package struct Score: Sendable, Equatable {
  package let team: String
  package let points: Int
  /// How many scores the source told before this one.
  package let number: Int
  /// What the source calls this score, to go on behind it later.
  package let id: String

  package init(team: String, points: Int, number: Int, id: String = "") {
    self.team = team
    self.points = points
    self.number = number
    self.id = id
  }
}

extension Sequence<Score> {
  /// The one that was told last.
  var newest: Score? { self.max { $0.number < $1.number } }
}
