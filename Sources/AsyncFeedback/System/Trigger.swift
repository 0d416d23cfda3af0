extension Feedback {
  /// When a feedback that gets the whole state runs.
  public struct Trigger: Sendable {
    @usableFromInline package let sensor: Sensor<System>

    @usableFromInline
    package init(sensor: Sensor<System>) {
      self.sensor = sensor
    }
  }
}

extension Feedback.Trigger {
  /// Fires on the first loop of the context, and again if a stop cut that run off (law 10).
  public static var once: Self {
    Self(sensor: Sensor(.once, word: "once", memory: { _ in }, check: { _, _, _ in false }))
  }

  /// Fires at the first loop, and whenever the value differs from what this feedback last saw.
  ///
  /// A value that is not equal to itself, such as NaN, is unchanged while its bytes are.
  ///
  /// - Parameter value: the value to watch; `\.count` is the usual spelling.
  @inlinable
  public static func onChanged<Value: Equatable & SendableMetatype>(
    _ value: @escaping @Sendable (System.State) -> Value
  ) -> Self {
    Self(
      sensor: Sensor(
        .change, word: "onChanged", memory: { look in value(look.pointee) },
        check: { state, _, slot in
          let seen = slot.assumingMemoryBound(to: Value.self)
          let present = value(state)
          if isUnchanged(seen.pointee, present) { return false }
          seen.pointee = present
          return true
        }))
  }

  /// Fires at the first loop, and whenever the value differs from what this feedback last saw.
  ///
  /// For a type without `Equatable` unchanged means: the same content bit by bit. Collections count as
  /// unchanged while they share their storage, instances of classes while they are the same instance.
  @inlinable
  @_disfavoredOverload
  public static func onChanged<Value: SendableMetatype>(
    _ value: @escaping @Sendable (System.State) -> Value
  ) -> Self {
    onChanged(value, by: { isIdentical($0, $1) })
  }

  /// Fires at the first loop, and whenever `isUnchanged` says no to the value that this feedback last
  /// saw and the present one.
  ///
  /// - Parameter isUnchanged: gets the value last seen and the present one.
  @inlinable
  public static func onChanged<Value>(
    _ value: @escaping @Sendable (System.State) -> Value,
    by isUnchanged: @escaping @Sendable (Value, Value) -> Bool
  ) -> Self {
    Self(
      sensor: Sensor(
        .change, word: "onChanged", memory: { look in value(look.pointee) },
        check: { state, _, slot in
          let seen = slot.assumingMemoryBound(to: Value.self)
          let present = value(state)
          if isUnchanged(seen.pointee, present) { return false }
          seen.pointee = present
          return true
        }))
  }

  /// Fires once when any of several values differs from what this feedback last saw.
  @inlinable
  public static func onChanged<
    First: Equatable & SendableMetatype, Second: Equatable & SendableMetatype,
    each Other: Equatable & SendableMetatype
  >(
    _ first: @escaping @Sendable (System.State) -> First,
    _ second: @escaping @Sendable (System.State) -> Second,
    _ others: repeat @escaping @Sendable (System.State) -> each Other
  ) -> Self {
    onChanged(
      { state in (first(state), second(state), (repeat (each others)(state))) },
      by: { old, new in
        guard isUnchanged(old.0, new.0), isUnchanged(old.1, new.1) else { return false }
        for (old, new) in repeat (each old.2, each new.2) {
          guard isUnchanged(old, new) else { return false }
        }
        return true
      })
  }

  /// Fires at the first loop and after each transition while the condition holds.
  @inlinable
  public static func filter(_ condition: @escaping @Sendable (System.State) -> Bool) -> Self {
    Self(
      sensor: Sensor(
        .condition, word: "filter", memory: { _ in },
        check: { state, _, _ in condition(state) }))
  }

  /// Runs the body from the turn in which the flag begins to hold until the turn in which it does not;
  /// the run is cancelled then and its lease withdrawn.
  @inlinable
  public static func `while`(_ flag: @escaping @Sendable (System.State) -> Bool) -> Self {
    Self(sensor: .presence(word: "while", flag))
  }

  /// Fires when the value at a key path kept in a variable changes.
  @_disfavoredOverload
  public static func onChanged<Value: Equatable & SendableMetatype>(
    _ keyPath: any KeyPath<System.State, Value> & Sendable
  ) -> Self {
    onChanged({ $0[keyPath: keyPath] })
  }

  /// Runs the body while the flag at a key path kept in a variable holds.
  @_disfavoredOverload
  public static func `while`(_ keyPath: any KeyPath<System.State, Bool> & Sendable) -> Self {
    self.while({ $0[keyPath: keyPath] })
  }
}

extension Sensor {
  /// A level that is there while a flag holds.
  @inlinable
  package static func presence(
    word: String, _ flag: @escaping @Sendable (System.State) -> Bool
  ) -> Self {
    Self(
      .level, word: word, memory: { _ in false },
      check: { state, _, slot in
        let seen = slot.assumingMemoryBound(to: Bool.self)
        let present = flag(state)
        if seen.pointee == present { return false }
        seen.pointee = present
        return true
      },
      changes: { slot in
        let isPresent = slot.assumingMemoryBound(to: Bool.self).pointee
        return [LevelChange(key: nil, kind: isPresent ? .entered : .left)]
      },
      isPresent: { slot, _ in slot.assumingMemoryBound(to: Bool.self).pointee })
  }
}
