public import Observation

extension Context {
  /// Reads a field on the main actor.
  ///
  /// Whoever tracks the read through Observation is told when this field changes, and for no other
  /// change (law 13). In the callback the new value can be read already.
  ///
  /// A path that has been read is looked along after each transition until its value has changed. Where what it
  /// leads to may go, as in `context[\.rows[1].name]`, read `context.rows[1].name`.
  ///
  /// The context must live on the main actor's executor; elsewhere use `await context.state`.
  @MainActor
  public subscript<Value: Equatable & SendableMetatype>(
    dynamicMember keyPath: KeyPath<System.State, Value>
  ) -> Value {
    driver.checkMainActor()
    return driver.read(keyPath) { isUnchanged($0, $1) }
  }

  /// Reads a field of a type that is not equatable; it counts as unchanged while it is the same bit by
  /// bit.
  @MainActor
  @_disfavoredOverload
  public subscript<Value>(dynamicMember keyPath: KeyPath<System.State, Value>) -> Value {
    driver.checkMainActor()
    return driver.read(keyPath) { isIdentical($0, $1) }
  }

  /// Reads a field whose name a member of the context hides, or with `\.self` the whole state.
  @MainActor
  public subscript<Value: Equatable & SendableMetatype>(_ keyPath: KeyPath<System.State, Value>)
    -> Value
  {
    self[dynamicMember: keyPath]
  }

  /// Reads a field whose name a member of the context hides, or with `\.self` the whole state.
  @MainActor
  @_disfavoredOverload
  public subscript<Value>(_ keyPath: KeyPath<System.State, Value>) -> Value {
    self[dynamicMember: keyPath]
  }

  /// A binding to the state.
  ///
  /// `context.binding.text` is one to a field.
  public nonisolated var binding: ContextBinding<System.State> {
    ContextBinding(location: StateLocation(driver: driver, path: \.self))
  }

  /// A binding that reads a field and sends an event instead of writing.
  ///
  /// It reads its own write at once. As long as the event waits, such as before the loop runs, that is a
  /// draft, which this key path's bindings alone show; the state has what the reducer makes of it. Where that
  /// is something else than was written, whoever tracks the field is told once, so that a text field takes
  /// the correction.
  @MainActor
  public func binding<Value: Equatable & SendableMetatype>(
    _ keyPath: KeyPath<System.State, Value>, sending event: @escaping (Value) -> System.Event,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> ContextBinding<Value> {
    let driver = driver
    // A binding keeps no context alive; without one there is nobody to send to.
    return ContextBinding(
      get: {
        driver.checkMainActor()
        return driver.readDraft(of: keyPath)
      },
      set: { [weak self] value in
        guard let self else { return }
        driver.checkMainActor()
        let cell = driver.fields[keyPath]
        let receipt = send(event(value), fileID: fileID, line: line)
        driver.noteDraft(value, at: keyPath, of: cell, by: receipt.ticket)
      })
  }

  /// The values of a part of the state: the present one first, then one for each change, of which a
  /// consumer that is busy gets only the newest.
  ///
  /// Each iteration is a consumer of its own and sees every change that is not overtaken by a newer one.
  /// The values end when the context goes or the consumer's task is cancelled. They may be consumed from
  /// any isolation; the closure is called on the context's executor.
  public nonisolated func values<Value: Equatable & Sendable & SendableMetatype>(
    of value: @escaping @Sendable (System.State) -> Value
  ) -> ContextValues<Value> {
    ContextValues { [driver] latest in
      await driver.attach(latest, value: value) { isUnchanged($0, $1) }
    }
  }

  /// The values of a part of the state whose type is not equatable: it counts as unchanged while it is
  /// the same bit by bit.
  @_disfavoredOverload
  public nonisolated func values<Value: Sendable>(
    of value: @escaping @Sendable (System.State) -> Value
  ) -> ContextValues<Value> {
    ContextValues { [driver] latest in
      await driver.attach(latest, value: value) { isIdentical($0, $1) }
    }
  }
}

extension Context: Observable {}

extension Driver {
  /// Stops a program that reads a context synchronously where that cannot work.
  @MainActor
  func checkMainActor() {
    guard case .main = executor.kind else {
      preconditionFailure(
        """
        a field can be read or bound synchronously only where the context lives on the main actor's \
        executor (this one has its own); read it with `await context.state`
        """)
    }
  }
}
