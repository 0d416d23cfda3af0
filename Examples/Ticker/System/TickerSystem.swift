package import AsyncFeedback

/// A live list of scores, of which the leaders are shown.
///
/// The scores come by a feed that keeps the newest of each team and hands them on ten times a second.
/// So a burst costs the loop no more than a trickle, and what is shown in the end is the last score of
/// every team. What is followed stands in the state; to pause is to take that away.
package struct Ticker: SystemProtocol {
  package struct State: Sendable, Equatable {
    // Written by the reducer alone, and in the claims of tests.
    package internal(set) var phase = Phase.live
    package internal(set) var points: [String: Int] = [:]
    package internal(set) var counts = FeedCounts()
    package internal(set) var connection = ConnectionStatus()
    /// How many of the leading teams are shown.
    package internal(set) var rows: Int
    /// The scores that are followed.
    var following: Following? = Following(id: "")
    /// The score that was taken last.
    var lastID = ""
    /// How many scores somebody waits for.
    var awaited = 1
    /// Whether somebody has waited in vain.
    package internal(set) var isLate = false
    var burst: Burst?

    package init(rows: Int = 10) {
      self.rows = rows
    }

    /// Whether scores that somebody waits for are still to come.
    package var isBehind: Bool {
      phase == .live && counts.received - counts.depth < awaited
    }

    fileprivate mutating func wait(for count: Int) {
      awaited = count
      isLate = false
    }

    fileprivate mutating func follow() {
      phase = .live
      wait(for: counts.received + 1)
      following = Following(id: lastID)
    }

    fileprivate mutating func end(_ phase: Phase) {
      self.phase = phase
      following = nil
    }
  }

  package enum Phase: Sendable, Equatable {
    case live
    case paused
    /// The source has no more to tell.
    case ended
    case failed(String)
  }

  /// One stretch of following the scores.
  package struct Following: Sendable, Equatable {
    /// The score to go on behind.
    let id: String
  }

  /// A number of changes asked for at once.
  package struct Burst: Sendable, Equatable {
    let number: Int
    let count: Int
  }

  package enum Event: Sendable {
    case pauseTapped
    case resumeTapped
    case rowsChanged(Int)
    case burstTapped(Int)
    case scoresAwaited(Int)
    case scoresChanged([Score], FeedCounts)
    case waitEnded
    case feedEnded
    case feedFailed(String)
    case connectionChanged(ConnectionStatus)
  }

  private let source: any ScoreSource
  private let board = FeedBoard()
  private let limit: Int
  private let patience: Duration
  private let trickle: Trickle?
  private let clock: any Clock<Duration>

  /// Changes that the source makes by itself, time and again.
  package struct Trickle: Sendable {
    let count: Int
    let interval: Duration

    package init(count: Int, interval: Duration) {
      self.count = count
      self.interval = interval
    }
  }

  /// - Parameters:
  ///   - limit: how many teams may wait to be shown; of more the newest are kept.
  ///   - patience: how long to wait for scores that somebody asked for.
  package init(
    source: any ScoreSource, limit: Int = 10_000, patience: Duration = .seconds(10),
    trickle: Trickle? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.source = source
    self.limit = limit
    self.patience = patience
    self.trickle = trickle
    self.clock = clock
  }

  package func reducer() -> Reducer {
    { state, event in
      switch event {
      case .pauseTapped:
        if state.phase == .live { state.end(.paused) }
      case .resumeTapped:
        if state.phase != .live { state.follow() }
      case .rowsChanged(let rows): state.rows = rows
      case .burstTapped(let count):
        state.burst = Burst(number: (state.burst?.number ?? 0) + 1, count: count)
        state.wait(for: state.counts.received + count)
      case .scoresAwaited(let count): state.wait(for: count)
      case .scoresChanged(let scores, let counts):
        for score in scores { state.points[score.team] = score.points }
        state.lastID = scores.newest?.id ?? state.lastID
        state.counts = counts
      case .waitEnded:
        state.awaited = 0
        state.isLate = true
      case .feedEnded: state.end(.ended)
      case .feedFailed(let error): state.end(.failed(error))
      case .connectionChanged(let status): state.connection = status
      }
    }
  }

  package func feedbacks() -> [Feedback<Self>] {
    Feedback.stream(
      \.following, name: "scores",
      sequence: { [self] in scores($0) },
      catch: { .feedFailed("\($0)") },
      end: { .feedEnded },
      event: { [board] scores in
        .scoresChanged(scores, board.total)
      })

    Feedback.stream(name: "connection") { [source] in
      Feed<ConnectionStatus, Never>(.newest(1), name: "connection") { source.watch($0) }
    } event: {
      .connectionChanged($0)
    }

    Feedback.request(\.burst, policy: .queued, name: "burst") { [source] burst in
      source.burst(burst.count)
      return nil
    }

    // Keeps the loop busy for as long as somebody waits, so that "quiet" means that all has come.
    Feedback(.while(\.isBehind), name: "wait") { [patience, clock] _ async in
      try? await clock.sleep(for: patience)
      return .waitEnded
    }

    if let trickle {
      Feedback.every(trickle.interval, while: { $0.phase == .live }, clock: clock, name: "trickle")
      {
        [source] in
        source.burst(trickle.count)
        return nil
      }
    }
  }

  private func scores(_ following: Following) -> Feed<[Score], any Error> {
    Feed(
      .batches(of: .latest(by: \.team, limit: limit), over: .milliseconds(100), clock: clock),
      name: "scores", board: board
    ) { [source] input in
      source.start(input, behind: following.id)
    }
  }
}
