#if canImport(Darwin)
  private import Darwin
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#endif

/// How deep a comparison or a description looks into nested values.
package let deepestLevel = 64

/// Whether two values of any types are the same to a reader.
///
/// Values of different types differ. The same bytes are the same. `Equatable` values are compared
/// with `==`, unless one of them is not even equal to itself, as NaN is. All others are compared by
/// their parts, and objects by identity. Values nested deeper than `deepestLevel` count as different.
package func isSame(_ old: Any, _ new: Any, level: Int = 0) -> Bool {
  switch Verdict(on: old, new) {
  case .same: true
  case .different: false
  case .unknown: level < deepestLevel && hasSameParts(old, new, level: level)
  }
}

/// What can be said of two values without a look at their parts.
enum Verdict {
  case same, different
  /// Only the parts can tell.
  case unknown

  init(on old: Any, _ new: Any) {
    func compare<Value>(_ type: Value.Type) -> Verdict {
      verdict(on: old, new, as: type)
    }
    guard type(of: old) == type(of: new) else {
      self = .different
      return
    }
    // The one way to reach the type inside an `Any`: a generic parameter takes `Any` itself.
    self = _openExistential(type(of: old), do: compare)
  }
}

/// Counts the elements that two collections share at their start, and after those at their end.
func sharedEnds<Elements: RandomAccessCollection>(
  _ old: Elements, _ new: Elements
) -> (prefix: Int, suffix: Int) {
  let ends = old.withContiguousStorageIfAvailable { old in
    new.withContiguousStorageIfAvailable { new in
      sharedEnds(old, new) { hasSameBytes(old.baseAddress, $0, new.baseAddress, $1, count: $2) }
    }
  }
  if case let ends?? = ends { return ends }
  return sharedEnds(old, new) { _, _, _ in false }
}

/// - Parameter hasSameBytes: whether so many elements after two positions are the same at a glance.
private func sharedEnds<Elements: RandomAccessCollection>(
  _ old: Elements, _ new: Elements, hasSameBytes: (Int, Int, Int) -> Bool
) -> (prefix: Int, suffix: Int) {
  func isSameElement(_ oldPosition: Int, _ newPosition: Int) -> Bool {
    isSame(
      old[old.index(old.startIndex, offsetBy: oldPosition)],
      new[new.index(new.startIndex, offsetBy: newPosition)])
  }
  // An array that was changed in place shares all other elements with its copy: so many at a time.
  let block = 256
  let shorter = min(old.count, new.count)
  var prefix = 0
  while prefix < shorter {
    if prefix + block <= shorter, hasSameBytes(prefix, prefix, block) {
      prefix += block
    } else if isSameElement(prefix, prefix) {
      prefix += 1
    } else {
      break
    }
  }
  var suffix = 0
  while prefix + suffix < shorter {
    let (oldEnd, newEnd) = (old.count - suffix, new.count - suffix)
    if prefix + suffix + block <= shorter, hasSameBytes(oldEnd - block, newEnd - block, block) {
      suffix += block
    } else if isSameElement(oldEnd - 1, newEnd - 1) {
      suffix += 1
    } else {
      break
    }
  }
  return (prefix, suffix)
}

private func hasSameBytes<Element>(
  _ old: UnsafePointer<Element>?, _ oldPosition: Int, _ new: UnsafePointer<Element>?,
  _ newPosition: Int, count: Int
) -> Bool {
  guard let old, let new else { return false }
  return memcmp(old + oldPosition, new + newPosition, count * MemoryLayout<Element>.stride) == 0
}

private func verdict<Value>(on old: Any, _ new: Any, as type: Value.Type) -> Verdict {
  guard let old = old as? Value, let new = new as? Value else { return .different }
  let size = MemoryLayout<Value>.size
  let hasSameBytes = withUnsafeBytes(of: old) { oldBytes in
    withUnsafeBytes(of: new) { newBytes in
      guard let oldStart = oldBytes.baseAddress, let newStart = newBytes.baseAddress else {
        return true
      }
      return memcmp(oldStart, newStart, size) == 0
    }
  }
  if hasSameBytes { return .same }
  guard let equatable = old as? any Equatable else { return .unknown }
  return verdict(on: equatable, new)
}

private func verdict<Value: Equatable>(on old: Value, _ new: Any) -> Verdict {
  guard let new = new as? Value else { return .different }
  if old == new { return .same }
  return old == old && new == new ? .different : .unknown
}

private func hasSameParts(_ old: Any, _ new: Any, level: Int) -> Bool {
  let (oldMirror, newMirror) = (Mirror(reflecting: old), Mirror(reflecting: new))
  switch oldMirror.displayStyle {
  case .class:
    return false
  case .dictionary:
    let (oldEntries, newEntries) = (entries(of: old), entries(of: new))
    return oldEntries.count == newEntries.count
      && oldEntries.allSatisfy { key, value in
        newEntries[key].map { isSame(value, $0, level: level + 1) } ?? false
      }
  case .set:
    return members(of: old) == members(of: new)
  default:
    break
  }
  guard !oldMirror.children.isEmpty || !newMirror.children.isEmpty else {
    // Without parts only the name of a case and the nil of an optional can speak for a value: the
    // unused bytes of an enumeration may differ.
    return isEnumeration(oldMirror) && String(describing: old) == String(describing: new)
  }
  return oldMirror.children.count == newMirror.children.count
    && zip(oldMirror.children, newMirror.children).allSatisfy { oldPart, newPart in
      oldPart.label == newPart.label && isSame(oldPart.value, newPart.value, level: level + 1)
    }
}

private func isEnumeration(_ mirror: Mirror) -> Bool {
  mirror.displayStyle == .enum || mirror.displayStyle == .optional
}

/// The entries of a value that reflects as a dictionary.
func entries(of value: Any) -> [AnyHashable: Any] {
  if let dictionary = value as? [AnyHashable: Any] { return dictionary }
  let pairs = Mirror(reflecting: value).children.compactMap { child -> (AnyHashable, Any)? in
    let pair = Mirror(reflecting: child.value).children.map(\.value)
    guard pair.count == 2, let key = pair[0] as? AnyHashable else { return nil }
    return (key, pair[1])
  }
  return Dictionary(pairs) { first, _ in first }
}

/// The members of a value that reflects as a set.
func members(of value: Any) -> Set<AnyHashable> {
  Set(Mirror(reflecting: value).children.compactMap { $0.value as? AnyHashable })
}
