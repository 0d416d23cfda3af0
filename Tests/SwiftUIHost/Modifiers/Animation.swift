/// How something changes over time: not at all, here.
public struct Animation: Sendable {
  /// The usual way.
  public static let `default` = Animation()
}

/// Has what the body changes change over time.
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try body()
}
