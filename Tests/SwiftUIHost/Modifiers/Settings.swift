public import Observation

extension View {
  /// Says something to the view and all within.
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    setting { $0[keyPath: keyPath] = value }
  }

  /// Gives an object to the view and all within.
  public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some View {
    setting { $0[object: Object.self] = object }
  }

  /// Whether a person cannot use the view and all within.
  public func disabled(_ isDisabled: Bool) -> some View {
    setting { $0.isEnabled = $0.isEnabled && !isDisabled }
  }

  /// Gives the view another identity for another id.
  public func id<ID: Hashable>(_ id: ID) -> some View {
    modified(key: id) { _, _ in }
  }

  /// Says which choice of a picker the view is.
  public func tag<Value: Hashable>(_ tag: Value) -> some View {
    modified { outline, _ in outline.tag = tag }
  }

  /// Gives a screen its title.
  public func navigationTitle<Title: StringProtocol>(_ title: Title) -> some View {
    modified { outline, _ in outline.parts.insert(Part(key: "title", view: Text(title)), at: 0) }
  }
}
