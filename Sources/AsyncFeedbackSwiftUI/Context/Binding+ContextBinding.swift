#if canImport(SwiftUI)
  public import SwiftUI

  extension Binding {
    /// Makes a binding for a view of one that belongs to a context or a store.
    ///
    /// It is used on the main actor.
    @MainActor
    public init(_ binding: ContextBinding<Value>) {
      self.init(
        get: { @MainActor in binding.wrappedValue },
        set: { @MainActor in binding.wrappedValue = $0 })
    }
  }
#endif
