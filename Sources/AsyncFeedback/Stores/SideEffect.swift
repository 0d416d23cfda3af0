/// An asynchronous operation as a value, so that a test can put another in its place.
///
/// ```swift
/// let double = SideEffect<Int, Int> { $0 * 2 }
/// print(try await double.run(21))  // 42
/// ```
///
/// It can be handed on anywhere. Its operation begins where `run` is called, or on the actor in whose code
/// the closure is written.
///
/// It is run by `run(_:)` and not by call syntax. A type that has a method and a property with the same bare
/// verb for a name, `func book()` and `let book: SideEffect<Void, Void>`, would mean the method where it says
/// `book()`: inside that method a call of itself, without end and without a warning. `book.run()` can only
/// mean the property.
public struct SideEffect<Input, Output>: Sendable {
  private let operation: @Sendable (Input) async throws -> Output

  /// Makes a value of an operation.
  public init(
    @_inheritActorContext _ operation: @escaping @Sendable (Input) async throws -> Output
  ) {
    self.operation = operation
  }

  /// Runs the operation; what it throws is thrown.
  public func run(_ input: Input) async throws -> Output {
    try await operation(input)
  }
}

extension SideEffect where Input == Void {
  /// Runs the operation; what it throws is thrown.
  public func run() async throws -> Output {
    try await run(())
  }
}
