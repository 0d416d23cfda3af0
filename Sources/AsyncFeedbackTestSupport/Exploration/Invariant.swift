/// What has to hold in every state of a system.
///
/// ```swift
/// struct Player { var position = 0; var length = 10 }
///
/// let withinBounds = Invariant<Player>("the position is within the track") { player in
///   (0...player.length).contains(player.position)
/// }
/// ```
public struct Invariant<State: Sendable>: Sendable {
  /// What holds, for the failure.
  public let name: String

  let holds: @Sendable (State) -> Bool

  /// Makes an invariant.
  ///
  /// - Parameters:
  ///   - name: what holds, in words.
  ///   - holds: whether it does in a state.
  public init(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
    self.name = name
    self.holds = holds
  }
}
