extension Feedback {
  /// Makes a feedback that answers in the turn of its trigger.
  ///
  /// - Parameters:
  ///   - trigger: when the body runs.
  ///   - policy: what a new trigger does to a run that is still going; by default `.latest`, and
  ///     `.overlapping` for `.filter`.
  ///   - name: what reports call the feedback; derived from the declaration without one.
  @inlinable
  public init(
    _ trigger: Trigger, policy: Policy? = nil, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate: @escaping @Sendable (System.State) -> System.Event?
  ) {
    self.init(
      trigger, body: .synchronous(evaluate), policy: policy, name: name, function: function,
      fileID: fileID,
      line: line)
  }

  /// Makes a feedback whose body may suspend and answers with at most one event.
  @inlinable
  public init(
    _ trigger: Trigger, policy: Policy? = nil, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate: nonisolated(nonsending) @escaping @Sendable (System.State) async -> System.Event?
  ) {
    self.init(
      trigger, body: .asynchronous(evaluate), policy: policy, name: name, function: function,
      fileID: fileID,
      line: line)
  }

  /// Makes a feedback whose body may suspend and sends any number of events.
  @inlinable
  public init(
    _ trigger: Trigger, policy: Policy? = nil, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (System.State, Send<System.Event>) async -> Void
  ) {
    self.init(
      trigger, body: .sending(evaluate), policy: policy, name: name, function: function,
      fileID: fileID,
      line: line)
  }

  /// Makes a feedback whose body may throw; `catch` turns the error into an event.
  @inlinable
  public init(
    _ trigger: Trigger, policy: Policy? = nil, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (System.State) async throws -> System.Event?
  ) {
    self.init(
      trigger, body: .asynchronous(evaluate), policy: policy, name: name, function: function,
      fileID: fileID,
      line: line, catch: `catch`)
  }

  /// Makes a feedback whose body may throw and sends any number of events.
  @inlinable
  public init(
    _ trigger: Trigger, policy: Policy? = nil, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (System.State, Send<System.Event>) async throws ->
      Void
  ) {
    self.init(
      trigger, body: .sending(evaluate), policy: policy, name: name, function: function,
      fileID: fileID,
      line: line, catch: `catch`)
  }
}
