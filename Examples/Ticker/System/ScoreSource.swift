package import AsyncFeedback

/// Where scores come from.
package protocol ScoreSource: Sendable {
  /// Begins to tell scores, and returns what ends that.
  ///
  /// - Parameter id: the score to go on behind; empty to begin with those that stand.
  func start(_ input: FeedInput<Score, any Error>, behind id: String) -> @Sendable () -> Void

  /// Begins to tell how the connection stands, and returns what ends that.
  func watch(_ input: FeedInput<ConnectionStatus, Never>) -> @Sendable () -> Void

  /// Changes scores that many times at once, where the source makes them itself.
  func burst(_ count: Int)
}

/// How the connection of a source stands.
package struct ConnectionStatus: Sendable, Equatable {
  package enum Phase: Sendable, Equatable {
    case connecting
    case open
    /// The next try comes after the delay.
    case waiting(Duration)
    case closed
  }

  package var phase = Phase.connecting
  /// How many connections took the place of one that broke.
  package var reconnects = 0

  package init(phase: Phase = .connecting, reconnects: Int = 0) {
    self.phase = phase
    self.reconnects = reconnects
  }
}
