extension Feedback {
  /// Runs the body for each event that matches, with its payload.
  ///
  /// The body answers in the same turn.
  ///
  /// The body runs after the transition of that event. Payloads in flight when a loop stops are not
  /// repeated at the next start (law 10).
  /// - Parameter extract: returns what the body gets, or nil for an event that does not matter.
  @inlinable
  public static func on<Payload: Sendable>(
    _ extract: @escaping @Sendable (System.Event) -> Payload?,
    policy: Policy = .overlapping, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate: @escaping @Sendable (Payload) -> System.Event?
  ) -> Self {
    Self(
      .event(extract), body: .synchronous(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "on", function: function, fileID: fileID, line: line))
  }

  /// Runs the body for each event that matches, with its payload.
  ///
  /// The body may suspend.
  @inlinable
  public static func on<Payload: Sendable>(
    _ extract: @escaping @Sendable (System.Event) -> Payload?,
    policy: Policy = .overlapping, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate: nonisolated(nonsending) @escaping @Sendable (Payload) async -> System.Event?
  ) -> Self {
    Self(
      .event(extract), body: .asynchronous(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "on", function: function, fileID: fileID, line: line))
  }

  /// Runs the body for each event that matches, with its payload.
  ///
  /// The body sends any number of events.
  @inlinable
  public static func on<Payload: Sendable>(
    _ extract: @escaping @Sendable (System.Event) -> Payload?,
    policy: Policy = .overlapping, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (Payload, Send<System.Event>) async -> Void
  ) -> Self {
    Self(
      .event(extract), body: .sending(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "on", function: function, fileID: fileID, line: line))
  }

  /// Runs the body for each event that matches, with its payload.
  ///
  /// The body may throw; `catch` turns the error into an event.
  @inlinable
  public static func on<Payload: Sendable>(
    _ extract: @escaping @Sendable (System.Event) -> Payload?,
    policy: Policy = .overlapping, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    evaluate: nonisolated(nonsending) @escaping @Sendable (Payload) async throws -> System.Event?
  ) -> Self {
    Self(
      .event(extract), body: .asynchronous(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "on", function: function, fileID: fileID, line: line), catch: `catch`)
  }

  /// Runs the body for each event that matches, with its payload.
  ///
  /// The body may throw and sends any number of events.
  @inlinable
  public static func on<Payload: Sendable>(
    _ extract: @escaping @Sendable (System.Event) -> Payload?,
    policy: Policy = .overlapping, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (Payload, Send<System.Event>) async throws -> Void
  ) -> Self {
    Self(
      .event(extract), body: .sending(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "on", function: function, fileID: fileID, line: line), catch: `catch`)
  }
}

extension Source {
  /// Looks for a payload in each event.
  @inlinable
  package static func event(_ extract: @escaping @Sendable (System.Event) -> Payload?) -> Self {
    Self(
      sensor: Sensor(
        .event, word: "on", memory: { _ in Payload?.none },
        check: { _, event, slot in
          guard let event, let payload = extract(event.pointee) else { return false }
          slot.assumingMemoryBound(to: Payload?.self).pointee = payload
          return true
        }),
      payload: { _, slot, _ in
        // The body takes the payload away, so that the slot keeps nothing of the event alive.
        guard let payload = slot.assumingMemoryBound(to: Payload?.self).pointee.take() else {
          preconditionFailure("the payload of an event must be read once per match")
        }
        return payload
      })
  }
}
