/// An id of which there is one: for what is never started anew.
public nonisolated struct EmptyEquatable: Equatable, Sendable {
  /// Makes it.
  public init() {}
}
