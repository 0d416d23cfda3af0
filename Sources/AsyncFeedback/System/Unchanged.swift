// Law 11. "Unchanged" means equal; or, for a value that is not equal to itself, the same content bit
// by bit; or, for a type without `Equatable`, the same content bit by bit.

/// Tells whether two values of an equatable type count as unchanged.
@inlinable
package func isUnchanged<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  // Shared storage is recognised before any element is looked at, also where a type's own `==` does
  // not do so. A value without references has none, and this line costs it nothing.
  if !_isPOD(Value.self), haveSameBytes(old, new) { return true }
  if old == new { return true }
  // Almost no value differs from itself, so this branch is the NaN's alone.
  if old != old { return isIdentical(old, new) }
  return false
}

/// Tells whether two values have the same content, bit by bit.
///
/// Two values with the same bytes are identical. Bytes that differ may be mere padding, which a copy
/// need not carry along, so then the stored parts are compared one by one. Collections and strings are
/// compared by their storage, instances of classes by identity.
@usableFromInline
package func isIdentical<Value>(_ old: Value, _ new: Value) -> Bool {
  haveSameBytes(old, new) || haveIdenticalParts(old, new)
}

/// Tells whether two values have the same bytes; collections that share their storage do.
@usableFromInline
package func haveSameBytes<Value>(_ old: Value, _ new: Value) -> Bool {
  withUnsafeBytes(of: old) { old in
    withUnsafeBytes(of: new) { new in old.elementsEqual(new) }
  }
}

private func haveIdenticalParts(_ old: Any, _ new: Any) -> Bool {
  guard type(of: old) == type(of: new) else { return false }
  // A mirror of a type's own making shows what the type likes to show, which may not be all there is.
  if old is any CustomReflectable, !(old is any AnyOptional) {
    return type(of: old) is AnyClass
      ? (old as AnyObject) === (new as AnyObject) : isSameLeaf(old, new)
  }
  let oldMirror = Mirror(reflecting: old)
  let newMirror = Mirror(reflecting: new)
  switch oldMirror.displayStyle {
  case .class, .foreignReference:
    return (old as AnyObject) === (new as AnyObject)
  case .struct, .tuple, .enum, .optional:
    guard oldMirror.children.count == newMirror.children.count else { return false }
    if oldMirror.children.isEmpty { return isSameLeaf(old, new) }
    return zip(oldMirror.children, newMirror.children).allSatisfy { old, new in
      old.label == new.label && haveIdenticalParts(old.value, new.value)
    }
  default:
    return isSameLeaf(old, new)
  }
}

private protocol AnyOptional {}

extension Optional: AnyOptional {}

private func isSameLeaf(_ old: Any, _ new: Any) -> Bool {
  func compare<Leaf>(_ old: Leaf) -> Bool {
    guard let new = new as? Leaf else { return false }
    return haveSameBytes(old, new)
  }
  return _openExistential(old, do: compare)
}
