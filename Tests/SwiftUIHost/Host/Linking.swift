@_spi(Reflection) import Swift

/// Gives the dynamic properties of a view, and those within them, what is kept for them, and updates them.
///
/// A property that consists of others comes after them, so that its `update()` finds their values.
@MainActor
func link<Owner>(_ owner: inout Owner, to place: Place, key: [Int] = []) {
  withUnsafeMutableBytes(of: &owner) { bytes in
    guard let base = bytes.baseAddress else { return }
    _ = _forEachField(of: Owner.self) { _, offset, type, _ in
      if let type = type as? any DynamicProperty.Type {
        linkProperty(type, at: base + offset, to: place, key: key + [offset])
      }
      return true
    }
  }
}

@MainActor
private func linkProperty<Property: DynamicProperty>(
  _: Property.Type, at address: UnsafeMutableRawPointer, to place: Place, key: [Int]
) {
  // What the reflection has found there.
  let property = address.assumingMemoryBound(to: Property.self)
  link(&property.pointee, to: place, key: key)
  (property.pointee as? any Linked)?.link(to: place, key: key)
  property.pointee.update()
}
