/// A value that is kept elsewhere, to read and to write.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value, Transaction) -> Void
  /// That of the changes that are made by this binding.
  public var transaction = Transaction()

  init(read: @escaping () -> Value, write: @escaping (Value, Transaction) -> Void) {
    self.read = read
    self.write = write
  }

  /// Makes a binding of two functions.
  @preconcurrency
  public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    Self.check([get.isolation, set.isolation])
    let set = unsafeBitCast(set, to: (@Sendable (Value) -> Void).self)
    self.init(of: get) { value, _ in set(value) }
  }

  /// Makes a binding of two functions, one of which makes the changes within a transaction.
  @preconcurrency
  public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
  ) {
    Self.check([get.isolation, set.isolation])
    self.init(of: get, set: unsafeBitCast(set, to: (@Sendable (Value, Transaction) -> Void).self))
  }

  private init(
    of get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping (Value, Transaction) -> Void
  ) {
    let get = unsafeBitCast(get, to: (@Sendable () -> Value).self)
    // Whoever makes such a binding reads it.
    _ = get()
    self.init(read: get, write: set)
  }

  /// The isolation is a part of a function's context, not of how it is called; bindings are used on the main
  /// actor.
  private static func check(_ isolations: [(any Actor)?]) {
    for isolation in isolations {
      precondition(
        isolation == nil || isolation === MainActor.shared,
        "a binding's function must be isolated to the main actor or nothing (was to another)")
    }
  }

  /// Takes a binding over.
  public init(projectedValue: Binding<Value>) {
    self = projectedValue
  }

  /// A binding to a value that never changes.
  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(read: { value }, write: { _, _ in })
  }

  /// The value.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue, transaction.within(.current)) }
  }

  /// The binding itself.
  public var projectedValue: Binding<Value> { self }

  /// A binding to a part of the value.
  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    var part = Binding<Subject>(
      read: { wrappedValue[keyPath: keyPath] },
      write: { value, transaction in
        var whole = wrappedValue
        whole[keyPath: keyPath] = value
        write(whole, transaction)
      })
    part.transaction = transaction
    return part
  }

  /// The binding with a transaction for its changes.
  public func transaction(_ transaction: Transaction) -> Binding<Value> {
    var binding = self
    binding.transaction = transaction
    return binding
  }

  /// The binding with an animation for its changes.
  public func animation(_ animation: Animation? = .default) -> Binding<Value> {
    var transaction = transaction
    transaction.animation = animation
    return self.transaction(transaction)
  }
}

extension Binding: DynamicProperty {}

// The functions are called where the binding is used, which is the main actor.
extension Binding: @unchecked Sendable where Value: Sendable {}
