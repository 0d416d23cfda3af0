/// What an `each` has seen of its collection.
package struct EachMemory<Elements: Collection & Sendable>
where Elements.Element: Identifiable & Sendable {
  package typealias Element = Elements.Element

  package struct Row {
    package var element: Element
    /// Where a run finds later values of the element, if it is given them.
    package let latest: LatestValue<Element>?
  }

  private let handsOver: Bool
  private var elements: Elements?
  private var order: [RunKey] = []
  package private(set) var rows: [RunKey?: Row] = [:]
  package private(set) var changes: [LevelChange] = []

  package init(handsOver: Bool) {
    self.handsOver = handsOver
  }

  package static func at(_ slot: UnsafeMutableRawPointer) -> Self {
    slot.assumingMemoryBound(to: Self.self).pointee
  }

  /// Notes the present elements and tells whether a key came, went, or is to restart.
  package mutating func see(_ present: Elements) -> Bool {
    // Shared storage is recognised before any element is looked at (law 11).
    if let elements, haveSameBytes(elements, present) { return false }
    elements = present
    changes.removeAll(keepingCapacity: true)
    var order: [RunKey] = []
    var rows: [RunKey?: Row] = [:]
    order.reserveCapacity(present.count)
    rows.reserveCapacity(present.count)
    for element in present {
      let key = RunKey(AnyHashable(element.id))
      guard rows[key] == nil else { continue }
      order.append(key)
      rows[key] = row(for: element, key: key)
    }
    let gone = self.order.filter { rows[$0] == nil }
    for key in gone { self.rows[key]?.latest?.finish() }
    changes.insert(contentsOf: gone.map { LevelChange(key: $0, kind: .left) }, at: 0)
    self.order = order
    self.rows = rows
    return !changes.isEmpty
  }

  private mutating func row(for element: Element, key: RunKey) -> Row {
    guard let old = rows[key] else {
      changes.append(LevelChange(key: key, kind: .entered))
      return Row(element: element, latest: handsOver ? LatestValue(element) : nil)
    }
    if isUnchangedElement(old.element, element) { return Row(element: element, latest: old.latest) }
    if let latest = old.latest {
      latest.put(element)
    } else {
      changes.append(LevelChange(key: key, kind: .replaced))
    }
    return Row(element: element, latest: old.latest)
  }
}

/// Law 11 for a type that may or may not be equatable.
func isUnchangedElement<Element>(_ old: Element, _ new: Element) -> Bool {
  func compare<Equal: Equatable>(_ old: Equal) -> Bool {
    guard let new = new as? Equal else { return false }
    return isUnchanged(old, new)
  }
  guard let equatable = old as? any Equatable else { return isIdentical(old, new) }
  return compare(equatable)
}
