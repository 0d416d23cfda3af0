public import Observation

/// A key of the environment.
public protocol EnvironmentKey {
  /// What belongs to the key.
  associatedtype Value

  /// What it is where nobody has said anything.
  static var defaultValue: Value { get }
}

/// What a view is told by those around it.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  /// Makes an environment in which nobody has said anything.
  public init() {}

  /// The value of a key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  subscript<Object: AnyObject>(object type: Object.Type) -> Object? {
    get { values[ObjectIdentifier(type)] as? Object }
    set { values[ObjectIdentifier(type)] = newValue }
  }
}

/// A property that reads the environment of its view.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private final class Reference {
    var values: EnvironmentValues?
  }

  private let read: (EnvironmentValues) -> Value
  private let reference = Reference()

  /// Reads a value.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    read = { $0[keyPath: keyPath] }
  }

  /// Reads an object, which must be there.
  public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
    read = { values in
      guard let object = values[object: objectType] else {
        preconditionFailure("the environment must hold a \(objectType) (has none)")
      }
      return object
    }
  }

  /// Reads an object, or nil where there is none.
  public init<Object>(_ objectType: Object.Type)
  where Value == Object?, Object: AnyObject, Object: Observable {
    read = { $0[object: objectType] }
  }

  /// The value in the environment of the view.
  public var wrappedValue: Value {
    guard let values = reference.values else {
      preconditionFailure("the environment must be read within a view's body")
    }
    return read(values)
  }
}

// The wrapper itself never changes; what it refers to is used where the view is, as in SwiftUI.
extension Environment: @unchecked Sendable where Value: Sendable {}

extension Environment: Linked {
  func link(to place: Place, key _: [Int]) {
    reference.values = place.environment
  }
}

extension EnvironmentValues {
  private struct IsEnabledKey: EnvironmentKey {
    static var defaultValue: Bool { true }
  }

  private struct RefreshKey: EnvironmentKey {
    static var defaultValue: RefreshAction? { nil }
  }

  /// Whether a person can use the view.
  public var isEnabled: Bool {
    get { self[IsEnabledKey.self] }
    set { self[IsEnabledKey.self] = newValue }
  }

  /// What a pull at the top of a list does.
  public internal(set) var refresh: RefreshAction? {
    get { self[RefreshKey.self] }
    set { self[RefreshKey.self] = newValue }
  }
}

/// What a pull at the top of a list does.
public struct RefreshAction: Sendable {
  let action: @Sendable () async -> Void

  /// Does it.
  public func callAsFunction() async {
    await action()
  }
}
