/// What an exploration has gone through.
public struct Exploration: Sendable, Hashable {
  /// How many runs there were until the first failure, or in all.
  ///
  /// Those that made a failure shorter are not counted.
  public let count: Int

  /// Whether there is nothing else to try: every order was run, or there never was a choice.
  public let isComplete: Bool

  /// Whether one of the runs failed.
  public let hasFailed: Bool
}
