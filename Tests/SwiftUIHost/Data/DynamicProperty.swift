/// A stored property of a view that gets its value from elsewhere.
public protocol DynamicProperty {
  /// Called before each evaluation of the view's body.
  mutating func update()
}

extension DynamicProperty {
  /// Does nothing.
  public mutating func update() {}
}

/// A dynamic property that the host gives its value.
@MainActor
protocol Linked {
  /// - Parameter key: where the property stands in the view.
  func link(to place: Place, key: [Int])
}
