extension Feedback {
  /// Runs the body once for each element, by identity.
  ///
  /// The body answers in the same turn.
  ///
  /// An element with a new id starts a run, one that is gone cancels its run and withdraws its lease.
  /// An element that changed under its id restarts its run by the policy, one that is unchanged or only
  /// moved is untouched. Unchanged means `==` where the element has it, else the same content bit by
  /// bit. Of several elements with one id the first counts.
  public static func each<Elements: Collection & Sendable>(
    _ elements: @escaping @Sendable (System.State) -> Elements,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate: @escaping @Sendable (Elements.Element) -> System.Event?
  ) -> Self where Elements.Element: Identifiable & Sendable {
    Self(
      .each(elements), body: .synchronous(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "each", function: function, fileID: fileID, line: line))
  }

  /// Runs the body once for each element, by identity.
  ///
  /// The body may suspend.
  public static func each<Elements: Collection & Sendable>(
    _ elements: @escaping @Sendable (System.State) -> Elements,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate: nonisolated(nonsending) @escaping @Sendable (Elements.Element) async -> System.Event?
  ) -> Self where Elements.Element: Identifiable & Sendable {
    Self(
      .each(elements), body: .asynchronous(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "each", function: function, fileID: fileID, line: line))
  }

  /// Runs the body once for each element, by identity.
  ///
  /// The body sends any number of events.
  public static func each<Elements: Collection & Sendable>(
    _ elements: @escaping @Sendable (System.State) -> Elements,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (Elements.Element, Send<System.Event>) async ->
      Void
  ) -> Self where Elements.Element: Identifiable & Sendable {
    Self(
      .each(elements), body: .sending(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "each", function: function, fileID: fileID, line: line))
  }

  /// Runs the body once for each element, by identity.
  ///
  /// The body may throw; `catch` turns the error into an event.
  public static func each<Elements: Collection & Sendable>(
    _ elements: @escaping @Sendable (System.State) -> Elements,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (Elements.Element) async throws -> System.Event?
  ) -> Self where Elements.Element: Identifiable & Sendable {
    Self(
      .each(elements), body: .asynchronous(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "each", function: function, fileID: fileID, line: line), catch: `catch`)
  }

  /// Runs the body once for each element, by identity.
  ///
  /// The body may throw and sends any number of events.
  public static func each<Elements: Collection & Sendable>(
    _ elements: @escaping @Sendable (System.State) -> Elements,
    policy: Policy = .latest, name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    `catch`: @escaping @Sendable (any Error) -> System.Event?,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (Elements.Element, Send<System.Event>)
      async throws -> Void
  ) -> Self where Elements.Element: Identifiable & Sendable {
    Self(
      .each(elements), body: .sending(evaluate), policy: policy,
      declaration: Declaration(
        name: name, word: "each", function: function, fileID: fileID, line: line), catch: `catch`)
  }

  /// Runs the body once for each element, by identity, and hands it the element's later values.
  ///
  /// Unlike `each`, an element that changes under its id does not restart its run: the run that is
  /// going gets the new value from the sequence it was given. The sequence begins with the value at the
  /// time it is first asked, keeps only the newest one while its reader is busy, and ends when the
  /// element goes.
  public static func eachUpdating<Elements: Collection & Sendable>(
    _ elements: @escaping @Sendable (System.State) -> Elements,
    name: String? = nil,
    function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate:
      nonisolated(nonsending) @escaping @Sendable (
        LatestValues<Elements.Element>, Send<System.Event>
      ) async -> Void
  ) -> Self where Elements.Element: Identifiable & Sendable {
    Self(
      .eachUpdating(elements), body: .sending(evaluate), policy: .latest,
      declaration: Declaration(
        name: name, word: "eachUpdating", function: function, fileID: fileID, line: line))
  }
}

extension Source {
  /// Watches the elements of a collection.
  package static func each<Elements: Collection & Sendable>(
    _ elements: @escaping @Sendable (System.State) -> Elements
  ) -> Self where Elements.Element: Identifiable & Sendable, Payload == Elements.Element {
    Self(
      sensor: .each(word: "each", elements, handsOver: false),
      payload: { _, slot, key in
        guard let row = EachMemory<Elements>.at(slot).rows[key] else {
          preconditionFailure("the element of a key must be read while it is there")
        }
        return row.element
      })
  }

  /// Watches the elements of a collection, and hands changed ones to the run that is going.
  package static func eachUpdating<Elements: Collection & Sendable>(
    _ elements: @escaping @Sendable (System.State) -> Elements
  ) -> Self
  where
    Elements.Element: Identifiable & Sendable, Payload == LatestValues<Elements.Element>
  {
    Self(
      sensor: .each(word: "eachUpdating", elements, handsOver: true),
      payload: { _, slot, key in
        guard let latest = EachMemory<Elements>.at(slot).rows[key]?.latest else {
          preconditionFailure("the element of a key must be read while it is there")
        }
        return LatestValues(latest)
      })
  }
}

extension Sensor {
  fileprivate static func each<Elements: Collection & Sendable>(
    word: String, _ elements: @escaping @Sendable (System.State) -> Elements, handsOver: Bool
  ) -> Self where Elements.Element: Identifiable & Sendable {
    Self(
      .level, word: word, memory: { _ in EachMemory<Elements>(handsOver: handsOver) },
      check: { state, _, slot in
        slot.assumingMemoryBound(to: EachMemory<Elements>.self).pointee.see(elements(state))
      },
      changes: { slot in EachMemory<Elements>.at(slot).changes },
      isPresent: { slot, key in EachMemory<Elements>.at(slot).rows[key] != nil })
  }
}
