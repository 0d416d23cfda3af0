extension Feedback {
  /// Runs the body while a request stands in the state, with the request.
  ///
  /// The body answers in the same turn.
  ///
  /// A request that appears starts a run, another one restarts by the policy, and nil cancels the run and
  /// withdraws its lease. A request that stays is not run again, also when its run has ended.
  /// - Parameter request: the optional to watch; `\.page` is the usual spelling.
  @inlinable
  public static func request<Payload: Sendable & Equatable>(
    _ request: @escaping @Sendable (System.State) -> Payload?,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate: @escaping @Sendable (Payload) -> System.Event?
  ) -> Self {
    Self(
      .request(request), body: .synchronous(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "request", function: function, fileID: fileID, line: line))
  }

  /// Runs the body while a request stands in the state, with the request.
  ///
  /// The body may suspend.
  @inlinable
  public static func request<Payload: Sendable & Equatable>(
    _ request: @escaping @Sendable (System.State) -> Payload?,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate: nonisolated(nonsending) @escaping @Sendable (Payload) async -> System.Event?
  ) -> Self {
    Self(
      .request(request), body: .asynchronous(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "request", function: function, fileID: fileID, line: line))
  }

  /// Runs the body while a request stands in the state, with the request.
  ///
  /// The body sends any number of events.
  @inlinable
  public static func request<Payload: Sendable & Equatable>(
    _ request: @escaping @Sendable (System.State) -> Payload?,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (Payload, Send<System.Event>) async -> Void
  ) -> Self {
    Self(
      .request(request), body: .sending(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "request", function: function, fileID: fileID, line: line))
  }

  /// Runs the body while a request stands in the state, with the request.
  ///
  /// The body may throw; `catch` turns the error into an event.
  @inlinable
  public static func request<Payload: Sendable & Equatable>(
    _ request: @escaping @Sendable (System.State) -> Payload?,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    evaluate: nonisolated(nonsending) @escaping @Sendable (Payload) async throws -> System.Event?
  ) -> Self {
    Self(
      .request(request), body: .asynchronous(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "request", function: function, fileID: fileID, line: line), catch: `catch`
    )
  }

  /// Runs the body while a request stands in the state, with the request.
  ///
  /// The body may throw and sends any number of events.
  @inlinable
  public static func request<Payload: Sendable & Equatable>(
    _ request: @escaping @Sendable (System.State) -> Payload?,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (Payload, Send<System.Event>) async throws -> Void
  ) -> Self {
    Self(
      .request(request), body: .sending(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "request", function: function, fileID: fileID, line: line), catch: `catch`
    )
  }
}

extension Source {
  /// Watches an optional value.
  @inlinable
  package static func request(
    word: String = "request", _ request: @escaping @Sendable (System.State) -> Payload?
  ) -> Self where Payload: Equatable {
    Self(
      sensor: Sensor(
        .level, word: word, memory: { _ in RequestMemory<Payload>() },
        check: { state, _, slot in
          slot.assumingMemoryBound(to: RequestMemory<Payload>.self).pointee.see(request(state))
        },
        changes: { slot in
          [
            LevelChange(
              key: nil,
              kind: slot.assumingMemoryBound(to: RequestMemory<Payload>.self).pointee.change)
          ]
        },
        isPresent: { slot, _ in
          slot.assumingMemoryBound(to: RequestMemory<Payload>.self).pointee.payload != nil
        }),
      payload: { _, slot, _ in
        guard
          let payload = slot.assumingMemoryBound(to: RequestMemory<Payload>.self).pointee.payload
        else {
          preconditionFailure("the payload of a request must be read while the request stands")
        }
        return payload
      })
  }
}

/// The request last seen, and how it differed from the one before.
@usableFromInline
package struct RequestMemory<Payload: Equatable> {
  @usableFromInline package var payload: Payload?
  @usableFromInline package var change = LevelChange.Kind.left

  @inlinable
  package init() {}

  /// Notes the present request and tells whether it differs.
  @inlinable
  package mutating func see(_ present: Payload?) -> Bool {
    switch (payload, present) {
    case (nil, nil): return false
    case (nil, _?): change = .entered
    case (_?, nil): change = .left
    case (let old?, let new?):
      if isUnchanged(old, new) { return false }
      change = .replaced
    }
    payload = present
    return true
  }
}
