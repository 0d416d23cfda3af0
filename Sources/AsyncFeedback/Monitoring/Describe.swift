/// Renders a value on one line, for reports and differences.
///
/// The text is the same for equal values: dictionaries and sets are in the order of their sorted
/// keys and members. Strings are quoted, cases read `.case(payload)`, other values by their parts or
/// by their own `description`. Objects that contain themselves end.
///
/// - Parameter limit: how many bytes of text are enough. What is cut leaves a `…`; the brackets still
///   open are closed, so that the text can be a little longer.
package func describe<Value>(_ value: Value, limit: Int = 120) -> String {
  ValueText(of: value, limit: limit).text
}

/// The items in the order of their keys: sorted where the keys share one comparable type, and by
/// their descriptions otherwise.
func inStableOrder<Item>(_ items: [Item], by key: (Item) -> Any) -> [Item] {
  let keys = items.map { item -> Any in
    let key = key(item)
    return (key as? AnyHashable)?.base ?? key
  }
  func sorted<Key: Comparable>(as first: Key) -> [Int]? {
    let typed = keys.compactMap { $0 as? Key }
    guard typed.count == keys.count else { return nil }
    return typed.indices.sorted { typed[$0] < typed[$1] }
  }
  if let first = keys.first as? any Comparable, let order = sorted(as: first) {
    return order.map { items[$0] }
  }
  let texts = keys.map { describe($0) }
  return texts.indices.sorted { texts[$0] < texts[$1] }.map { items[$0] }
}

/// Whether a type belongs to the standard library or Foundation, so that its `description` says more
/// than its parts.
func isSystemType(_ type: Any.Type) -> Bool {
  let name = String(reflecting: type)
  return name.hasPrefix("Swift.") || name.hasPrefix("Foundation")
}

/// A value's text in the making.
struct ValueText {
  private(set) var text = ""

  /// Whether parts of the value are left out.
  private(set) var isCut = false

  private let limit: Int
  private var openObjects: [ObjectIdentifier] = []
  private var level = 0

  init(of value: Any, limit: Int) {
    self.limit = limit
    write(value)
  }

  private var room: Int { limit - text.utf8.count }

  private mutating func write(_ value: Any) {
    guard level < deepestLevel else { return cut() }
    level += 1
    defer { level -= 1 }
    if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
      return write(hashable.base)
    }
    if let string = value as? any StringProtocol { return writeQuoted(String(string)) }
    if let character = value as? Character { return writeQuoted(String(character)) }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      writeOptional(mirror)
    case .collection:
      writeList(mirror.children.lazy.map(\.value), count: mirror.children.count)
    case .set:
      let members = inStableOrder(mirror.children.map(\.value)) { $0 }
      writeList(members, count: members.count)
    case .dictionary:
      writeDictionary(value)
    default:
      if let described = value as? any CustomStringConvertible {
        writeFlat(described.description)
      } else if let described = value as? any CustomDebugStringConvertible {
        writeFlat(described.debugDescription)
      } else {
        writeParts(of: value, mirror)
      }
    }
  }

  private mutating func writeParts(of value: Any, _ mirror: Mirror) {
    switch mirror.displayStyle {
    case .enum:
      guard let payload = mirror.children.first else {
        let name = String(describing: value)
        return writeFlat(name.contains("(") ? name : ".\(name)")
      }
      text += ".\(payload.label ?? "")"
      let payloadMirror = Mirror(reflecting: payload.value)
      if payloadMirror.displayStyle == .tuple {
        writeMembers(of: payloadMirror)
      } else {
        text += "("
        write(payload.value)
        text += ")"
      }
    case .tuple:
      writeMembers(of: mirror)
    case .class:
      writeObject(value, mirror)
    default:
      // A closure or a metatype has no parts and no style.
      if mirror.displayStyle == nil, mirror.children.isEmpty {
        return writeFlat(String(describing: value))
      }
      text += "\(type(of: value))"
      writeMembers(of: mirror)
    }
  }

  private mutating func writeOptional(_ mirror: Mirror) {
    guard let wrapped = mirror.children.first?.value else {
      text += "nil"
      return
    }
    let inner = Mirror(reflecting: wrapped)
    if inner.displayStyle == .optional, inner.children.isEmpty {
      text += ".some(nil)"
    } else {
      write(wrapped)
    }
  }

  private mutating func writeObject(_ value: Any, _ mirror: Mirror) {
    let identity = ObjectIdentifier(value as AnyObject)
    text += "\(type(of: value))"
    guard !openObjects.contains(identity) else {
      text += "(…)"
      return
    }
    openObjects.append(identity)
    writeMembers(of: mirror)
    openObjects.removeLast()
  }

  private mutating func writeMembers(of mirror: Mirror) {
    let parts = allParts(of: mirror)
    writeItems(parts, count: parts.count, "(", ")") { text, part in
      if let label = part.label, !label.hasPrefix(".") { text.text += "\(label): " }
      text.write(part.value)
    }
  }

  private mutating func writeList(_ elements: some Sequence<Any>, count: Int) {
    writeItems(elements, count: count, "[", "]") { text, element in text.write(element) }
  }

  private mutating func writeDictionary(_ value: Any) {
    let entries = inStableOrder(Array(entries(of: value))) { $0.key }
    guard !entries.isEmpty else {
      text += "[:]"
      return
    }
    writeItems(entries, count: entries.count, "[", "]") { text, entry in
      text.write(entry.key)
      text.text += ": "
      text.write(entry.value)
    }
  }

  private mutating func writeItems<Item>(
    _ items: some Sequence<Item>, count: Int, _ opening: String, _ closing: String,
    write: (inout ValueText, Item) -> Void
  ) {
    text += opening
    for (position, item) in items.enumerated() {
      if position > 0 { text += ", " }
      guard room > 0 else {
        isCut = true
        text += "… \(count - position) more"
        break
      }
      write(&self, item)
    }
    text += closing
  }

  private mutating func writeQuoted(_ string: String) {
    let shown = string.prefix(max(room, 8))
    guard shown.endIndex < string.endIndex else {
      text += string.debugDescription
      return
    }
    isCut = true
    text += "\("\(shown)…".debugDescription) (\(string.count) characters)"
  }

  private mutating func writeFlat(_ description: String) {
    let shown = description.prefix(max(room, 8))
    text += shown.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
    if shown.endIndex < description.endIndex { cut() }
  }

  private mutating func cut() {
    isCut = true
    text += "…"
  }
}

/// The parts of a value, those that an object inherits first.
func allParts(of mirror: Mirror) -> [Mirror.Child] {
  (mirror.superclassMirror.map(allParts) ?? []) + mirror.children
}
