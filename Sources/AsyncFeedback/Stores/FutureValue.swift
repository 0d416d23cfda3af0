public import Observation

/// An observable holder of the result of one asynchronous operation at a time.
///
/// ```swift
/// let search = await FutureValue { (query: String) in query.uppercased() }
/// await search.execute("swift")
/// ```
///
/// It lives on the main actor. An operation that is written there, as in a view or a store, begins there, and
/// leaves it by its own `await`; one that is isolated to nothing begins elsewhere. It is for work that a tap
/// asks for, such as a write. The operation goes on when the holder goes, since a payment must
/// not end with the sheet that shows it; `reset()` and another `execute` cancel it.
@MainActor
public final class FutureValue<Params: Sendable, Result: Sendable> {
  /// What is executed.
  ///
  /// It has the isolation that it is written with. A type without `@isolated(any)` would be one of this module's
  /// settings, which a stored property of a module with others cannot have for its initial value.
  public typealias Operation = @isolated(any) (_ params: Params) async throws -> Result

  private let operation: Operation
  private let cell = FieldCell()
  private var shown = State<Result>.initial
  private var task: Task<Result, any Error>?
  /// How often something was executed or reset: what belongs to an earlier number is late.
  private var serial = 0

  /// Makes a holder of the results of an operation.
  public init(operation: @escaping Operation) {
    self.operation = operation
  }

  /// Makes a holder of the results of a function that runs where it is called: on the main actor.
  @_disfavoredOverload
  public convenience init<Failure: Error>(
    operation: @escaping (_ params: Params) async throws(Failure) -> Result
  ) {
    self.init { params in try await operation(params) }
  }
}

extension FutureValue {
  /// How far an operation is.
  public enum State<Data: Sendable>: Sendable {
    /// Nothing has been executed since the beginning, or the last reset.
    case initial
    /// The operation is going on.
    case loading
    /// The operation has returned.
    case success(Data)
    /// The operation has thrown.
    case failure(any Error)
  }

  /// How far the newest operation is.
  ///
  /// What an earlier one returns never shows.
  public var state: State<Result> {
    cell.access()
    return shown
  }

  /// Whether the operation is going on.
  public var isLoading: Bool {
    if case .loading = state { true } else { false }
  }

  /// What the operation has returned.
  public var data: Result? {
    if case .success(let data) = state { data } else { nil }
  }
}

extension FutureValue: nonisolated Observable {}

extension FutureValue {
  /// Executes the operation, and cancels the one that is going on.
  ///
  /// The state is `.loading` when this returns. An operation that is replaced before it begins is not
  /// executed. A `CancellationError` that nobody has asked for is a failure like any other.
  public func execute(_ params: Params) {
    start(params)
  }

  /// Cancels the operation that is going on, and forgets the result.
  public func reset() {
    serial += 1
    task.take()?.cancel()
    // Whoever is told may reset again, and must not be told again.
    if case .initial = shown { return }
    show(.initial)
  }

  @discardableResult
  private func start(_ params: Params) -> (task: Task<Result, any Error>, serial: Int) {
    serial += 1
    let serial = serial
    task?.cancel()
    let task = Task { [weak self, operation] in
      do {
        try Task.checkCancellation()
        let result = try await operation(params)
        // Whoever asked for something else meanwhile gets nothing of this, also if it did not listen.
        try Task.checkCancellation()
        self?.finish(serial, with: .success(result))
        return result
      } catch {
        if !Task.isCancelled { self?.finish(serial, with: .failure(error)) }
        throw error
      }
    }
    self.task = task
    show(.loading)
    return (task, serial)
  }

  private func finish(_ serial: Int, with state: State<Result>) {
    guard serial == self.serial else { return }
    task = nil
    show(state)
  }

  private func show(_ state: State<Result>) {
    shown = state
    cell.notify()
  }
}

extension FutureValue where Params == Void {
  /// Executes the operation, and cancels the one that is going on.
  public func execute() {
    execute(())
  }
}

extension FutureValue {
  /// Executes the operation for somebody who waits for it, and resets when he is cancelled meanwhile.
  package func result(of params: Params) async throws -> Result {
    try Task.checkCancellation()
    let (task, serial) = start(params)
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
      // Nothing that it returns from now on shows, and the state does not wait for it to end.
      Task { @MainActor in
        if serial == self.serial, self.task != nil { self.reset() }
      }
    }
  }
}
