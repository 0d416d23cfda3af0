/// What a ``StreamValue`` shows: nothing yet, the newest element of its sequence, or the error of it.
public enum StreamState<Value: Sendable>: Sendable {
  /// No element has come.
  case empty
  /// The newest element, or what `patch` has made of it.
  case value(Value)
  /// The sequence, or a `patch`, has failed.
  case error(any Error)
}

extension StreamState {
  /// The value, if there is one.
  public var data: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// Makes one result of whatever case it is.
  ///
  /// ```swift
  /// let state = StreamState.value(3)
  /// print(state.when(value: { "\($0)" }, error: { "\($0)" }, empty: { "…" }))  // 3
  /// ```
  public func when<Outcome>(
    value: (Value) -> Outcome, error: (any Error) -> Outcome, empty: () -> Outcome
  ) -> Outcome {
    switch self {
    case .empty: empty()
    case .value(let present): value(present)
    case .error(let failure): error(failure)
    }
  }

  /// Makes one result of the cases that have a closure, and takes that of `orElse` for the others.
  public func maybeWhen<Outcome>(
    value: ((Value) -> Outcome)? = nil, error: ((any Error) -> Outcome)? = nil,
    empty: (() -> Outcome)? = nil, orElse: @escaping () -> Outcome
  ) -> Outcome {
    when(
      value: value ?? { _ in orElse() }, error: error ?? { _ in orElse() }, empty: empty ?? orElse)
  }

  /// Converts the value, if there is one; what the conversion throws becomes the error.
  public func whenValue<Converted>(
    _ convert: (Value) throws -> Converted
  ) -> StreamState<Converted> {
    switch self {
    case .empty: return .empty
    case .error(let failure): return .error(failure)
    case .value(let present):
      do { return .value(try convert(present)) } catch { return .error(error) }
    }
  }
}
