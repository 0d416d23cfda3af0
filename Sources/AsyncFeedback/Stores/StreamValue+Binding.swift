// Views have functions of the same names that make the bindings of theirs.
extension StreamValue {
  /// A binding to an optional part of the value.
  ///
  /// It reads nil while there is no value. A write is a `patch`: it lasts until the next element, and does
  /// nothing while there is no value. The binding does not keep the store alive.
  @_disfavoredOverload
  public func binding<Member>(
    _ keyPath: WritableKeyPath<T, Member?>
  ) -> ContextBinding<Member?> {
    ContextBinding(
      get: { [weak self] in self?.state.data?[keyPath: keyPath] },
      set: { [weak self] member in
        self?.patch { value in
          var value = value
          value[keyPath: keyPath] = member
          return value
        }
      })
  }

  /// A binding to a part of the value that is only read.
  ///
  /// It reads nil while there is no value, and a write does nothing. The binding does not keep the store
  /// alive.
  @_disfavoredOverload
  public func binding<Member>(_ keyPath: KeyPath<T, Member>) -> ContextBinding<Member?> {
    ContextBinding(get: { [weak self] in self?.state.data?[keyPath: keyPath] }, set: { _ in })
  }
}
