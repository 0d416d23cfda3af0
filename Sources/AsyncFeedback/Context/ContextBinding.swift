/// A value that can be read and written at once on the main actor (law 12).
///
/// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
/// ```swift
/// let context = Context(state: .init(), system: Counter())
/// await MainActor.run {
///   context.binding.count.wrappedValue = 3
///   print(context.count)  // 3
/// }
/// ```
///
/// A write calls no reducer. It is a transition of its own, in the order of everything that was sent
/// before it, and triggers the feedbacks of what it changed. It is read back at once even where it has
/// to wait for its turn.
@dynamicMemberLookup
public struct ContextBinding<Value> {
  private let location: any BindingLocation<Value>

  init(location: any BindingLocation<Value>) {
    self.location = location
  }

  /// Makes a binding of two functions.
  @MainActor
  public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
    location = FunctionLocation(get: get, set: set)
  }

  /// The value.
  @MainActor
  public var wrappedValue: Value {
    get { location.read() }
    nonmutating set { location.write(newValue) }
  }

  /// The binding itself.
  public var projectedValue: ContextBinding<Value> { self }

  /// A binding to a part of the value.
  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> ContextBinding<Member> {
    ContextBinding<Member>(location: location.member(keyPath))
  }
}

/// Where a binding reads and writes.
protocol BindingLocation<Value> {
  associatedtype Value

  @MainActor func read() -> Value
  @MainActor func write(_ value: Value)
  func member<Member>(_ keyPath: WritableKeyPath<Value, Member>) -> any BindingLocation<Member>
}

/// A field of a context's state.
struct StateLocation<System: SystemProtocol, Value>: BindingLocation {
  let driver: Driver<System>
  let path: WritableKeyPath<System.State, Value>
  /// How long the collections are through whose places the path leads, the outermost first.
  var lengths: [@Sendable (System.State) -> Int] = []

  @MainActor
  func read() -> Value {
    driver.checkMainActor()
    return driver.read(path, lengths: lengths) { isUnchangedElement($0, $1) }
  }

  @MainActor
  func write(_ value: Value) {
    driver.checkMainActor()
    let path = path
    driver.write { $0[keyPath: path] = value }
  }

  func member<Member>(_ keyPath: WritableKeyPath<Value, Member>) -> any BindingLocation<Member> {
    var member = StateLocation<System, Member>(
      driver: driver, path: path.appending(path: keyPath), lengths: lengths)
    if let type = Value.self as? any RandomAccessCollection.Type {
      member.lengths.append(length(of: type))
    }
    return member
  }

  private func length<Elements: RandomAccessCollection>(
    of _: Elements.Type
  ) -> @Sendable (System.State) -> Int {
    guard let path = path as? WritableKeyPath<System.State, Elements> else { return { _ in 0 } }
    func length(_ state: System.State) -> Int { state[keyPath: path].count }
    // Key paths are immutable and a conformance that was found at run time is isolated to nothing; only
    // the types do not say so.
    nonisolated(unsafe) let measure = length
    return { measure($0) }
  }
}

/// Two functions.
private struct FunctionLocation<Value>: BindingLocation {
  let get: @MainActor () -> Value
  let set: @MainActor (Value) -> Void

  @MainActor
  func read() -> Value { get() }

  @MainActor
  func write(_ value: Value) { set(value) }

  func member<Member>(_ keyPath: WritableKeyPath<Value, Member>) -> any BindingLocation<Member> {
    // Key paths are immutable; only their type does not say so.
    nonisolated(unsafe) let keyPath = keyPath
    return FunctionLocation<Member>(
      get: { get()[keyPath: keyPath] },
      set: { member in
        var value = get()
        value[keyPath: keyPath] = member
        set(value)
      })
  }
}
