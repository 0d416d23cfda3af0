#if canImport(SwiftUI)
  public import SwiftUI

  extension StreamValue {
    /// A binding for a view to an optional part of the value.
    ///
    /// It reads nil while there is no value. A write is a `patch`: it lasts until the next element, and does
    /// nothing while there is no value. The binding does not keep the store alive.
    public func binding<Member>(_ keyPath: WritableKeyPath<T, Member?>) -> Binding<Member?> {
      Binding(binding(keyPath) as ContextBinding<Member?>)
    }

    /// A binding for a view to a part of the value that is only read.
    ///
    /// It reads nil while there is no value, and a write does nothing. The binding does not keep the store
    /// alive.
    public func binding<Member>(_ keyPath: KeyPath<T, Member>) -> Binding<Member?> {
      Binding(binding(keyPath) as ContextBinding<Member?>)
    }
  }
#endif
