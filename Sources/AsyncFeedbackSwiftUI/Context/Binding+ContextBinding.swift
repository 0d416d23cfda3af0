#if canImport(SwiftUI)
  public import SwiftUI

  extension Binding {
    /// Makes a binding for a view of one that belongs to a context or a store.
    ///
    /// It is used on the main actor. A transaction of the binding, such as that of `animation(_:)`, is that
    /// of the change.
    @MainActor
    public init(_ binding: ContextBinding<Value>) {
      self.init(
        get: { @MainActor in binding.wrappedValue },
        set: { @MainActor value, transaction in
          withTransaction(transaction) { binding.wrappedValue = value }
        })
    }
  }
#endif
