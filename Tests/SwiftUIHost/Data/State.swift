import Observation

/// A value that lives as long as the identity of the view.
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let reference: Reference<Value>

  /// Makes a property with the value that it has at first.
  public init(wrappedValue value: Value) {
    reference = Reference(value)
  }

  /// Makes a property with the value that it has at first.
  public init(initialValue value: Value) {
    reference = Reference(value)
  }

  /// The value.
  public var wrappedValue: Value {
    get { reference.location?.value ?? reference.initial }
    nonmutating set { reference.location?.value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    let reference = reference
    let initial = reference.initial
    return Binding(
      read: { reference.location?.value ?? initial },
      write: { value, transaction in
        withTransaction(transaction) { reference.location?.value = value }
      })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Makes a property that is nil at first.
  public init() {
    self.init(wrappedValue: nil)
  }
}

// The wrapper itself never changes; what it refers to is used where the view is, as in SwiftUI.
extension State: @unchecked Sendable where Value: Sendable {}

extension State: Linked {
  func link(to place: Place, key: [Int]) {
    if let location = place.locations[key] as? Location<Value> {
      reference.location = location
    } else {
      let location = Location(reference.initial)
      place.locations[key] = location
      reference.location = location
    }
  }
}

/// What the copies of one wrapper share.
private final class Reference<Value> {
  let initial: Value
  var location: Location<Value>?

  init(_ initial: Value) {
    self.initial = initial
  }
}

/// Where the value is kept.
private final class Location<Value> {
  private let cell = Cell()
  private var stored: Value

  init(_ value: Value) {
    stored = value
  }

  var value: Value {
    get {
      cell.access()
      return stored
    }
    set {
      stored = newValue
      cell.notify()
    }
  }
}

/// What stands for a value in the Observation module.
private final class Cell: Observable {
  private let registrar = ObservationRegistrar()
  private var value: Void { () }

  func access() {
    registrar.access(self, keyPath: \.value)
  }

  func notify() {
    registrar.willSet(self, keyPath: \.value)
    registrar.didSet(self, keyPath: \.value)
  }
}
