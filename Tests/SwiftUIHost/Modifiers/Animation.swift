/// How something changes over time: not at all, here.
public struct Animation: Sendable, Equatable {
  /// The usual way.
  public static let `default` = Animation()
}

/// What belongs to a change of the state.
public struct Transaction: Sendable {
  /// How the change goes on over time.
  public var animation: Animation?

  /// Makes a transaction without an animation.
  public init() {}

  /// Makes a transaction with an animation.
  public init(animation: Animation?) {
    self.animation = animation
  }

  /// That of what is done at present, for tests to look at.
  ///
  /// It belongs to the thread, as it does in SwiftUI, and that is the main one.
  package nonisolated(unsafe) private(set) static var current = Transaction()

  /// What is said here, and what is not said here as it is said around it.
  func within(_ other: Transaction) -> Transaction {
    Transaction(animation: animation ?? other.animation)
  }

  fileprivate func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    let former = Self.current
    Self.current = self
    defer { Self.current = former }
    return try body()
  }
}

/// Has what the body changes belong to a transaction.
public func withTransaction<Result>(
  _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result {
  try transaction.run(body)
}

/// Has what the body changes change over time.
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try withTransaction(Transaction(animation: animation), body)
}
