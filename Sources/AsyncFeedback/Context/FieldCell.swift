import Observation

/// What stands for one field of a state in the Observation module.
///
/// It is not generic: a key-path literal in a generic class costs about a microsecond an access.
final class FieldCell: Observable {
  private let registrar = ObservationRegistrar()
  private var value: Void { () }

  /// Notes that the field is read; whoever tracks the read is told of the next change.
  func access() {
    registrar.access(self, keyPath: \.value)
  }

  /// Tells that the field has changed.
  ///
  /// The new value can be read already (case H6).
  func notify() {
    registrar.willSet(self, keyPath: \.value)
    registrar.didSet(self, keyPath: \.value)
  }
}
