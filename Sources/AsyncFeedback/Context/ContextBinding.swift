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
    ContextBinding<Member>(location: location.member(keyPath, isThere: nil))
  }

  /// A binding to an element.
  ///
  /// Whoever tracks a read of it is told when its place goes. A write behind an event that takes the place away
  /// writes nothing; a read of a place that is gone is the collection's own error.
  public subscript(index: Value.Index) -> ContextBinding<Value.Element>
  where Value: MutableCollection & RandomAccessCollection, Value.Index: Hashable {
    ContextBinding<Value.Element>(
      location: location.member(\Value[index]) { $0.startIndex <= index && index < $0.endIndex })
  }
}

/// Where a binding reads and writes.
protocol BindingLocation<Value> {
  associatedtype Value

  @MainActor func read() -> Value
  @MainActor func write(_ value: Value)

  /// - Parameter isThere: whether the key path leads to something; nil if it always does, or nobody knows.
  func member<Member>(
    _ keyPath: WritableKeyPath<Value, Member>, isThere: ((Value) -> Bool)?
  ) -> any BindingLocation<Member>
}

/// A field of a context's state.
struct StateLocation<System: SystemProtocol, Value>: BindingLocation {
  let driver: Driver<System>
  let path: WritableKeyPath<System.State, Value>
  /// The places in collections through which the path leads, the outermost first.
  var places: [BindingPlace<System.State>] = []

  @MainActor
  func read() -> Value {
    driver.checkMainActor()
    return driver.read(path, through: places) { isUnchangedElement($0, $1) }
  }

  @MainActor
  func write(_ value: Value) {
    driver.checkMainActor()
    let (path, places) = (path, places)
    driver.write { state in
      for place in places {
        if case .known(let isThere) = place, !isThere(state) { return }
      }
      state[keyPath: path] = value
    }
  }

  func member<Member>(
    _ keyPath: WritableKeyPath<Value, Member>, isThere: ((Value) -> Bool)?
  ) -> any BindingLocation<Member> {
    var member = StateLocation<System, Member>(
      driver: driver, path: path.appending(path: keyPath), places: places)
    if let isThere {
      // Key paths are immutable, and what was given is a comparison; only their types do not say so.
      nonisolated(unsafe) let (path, isThere) = (path, isThere)
      member.places.append(.known { isThere($0[keyPath: path]) })
    } else if let type = Value.self as? any RandomAccessCollection.Type {
      member.places.append(.unknown(length: length(of: type)))
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

/// A place in a collection.
enum BindingPlace<State> {
  /// One whose index is known.
  case known(isThere: @Sendable (State) -> Bool)
  /// One that may be gone once the collection has become shorter.
  case unknown(length: @Sendable (State) -> Int)
}

/// Two functions.
private struct FunctionLocation<Value>: BindingLocation {
  let get: @MainActor () -> Value
  let set: @MainActor (Value) -> Void

  @MainActor
  func read() -> Value { get() }

  @MainActor
  func write(_ value: Value) { set(value) }

  func member<Member>(
    _ keyPath: WritableKeyPath<Value, Member>, isThere: ((Value) -> Bool)?
  ) -> any BindingLocation<Member> {
    // Key paths are immutable, and what was given is a comparison; only their types do not say so.
    nonisolated(unsafe) let (keyPath, isThere) = (keyPath, isThere)
    return FunctionLocation<Member>(
      get: { get()[keyPath: keyPath] },
      set: { member in
        var value = get()
        if let isThere, !isThere(value) { return }
        value[keyPath: keyPath] = member
        set(value)
      })
  }
}
