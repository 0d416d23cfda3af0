/// The comparison of two values, from the outside in.
struct DifferenceWalk {
  private let limit: Int
  private var lines: [String] = []
  private var changes = 0
  private var seenObjects: [ObjectPair: SeenObject] = [:]
  private var openObjects = 0

  init(limit: Int) {
    self.limit = limit
  }

  var allLines: [String] {
    let hidden = changes - lines.count
    return hidden == 0 ? lines : lines + ["… and \(hidden) more change\(hidden == 1 ? "" : "s")"]
  }

  mutating func compare(_ old: Any, _ new: Any, in parts: [String] = []) {
    compare(old, new, at: parts.reduce(DifferencePath()) { $0.inPart($1) }, level: 0)
  }
}

extension DifferenceWalk {
  private struct ObjectPair: Hashable {
    let old: ObjectIdentifier
    let new: ObjectIdentifier
  }

  private enum SeenObject {
    case looksTheSame
    case changed(at: DifferencePath)
  }

  /// Reports the changes from one value to another.
  private mutating func compare(_ old: Any, _ new: Any, at path: DifferencePath, level: Int) {
    let verdict = Verdict(on: old, new)
    guard verdict != .same else { return }
    guard lines.count < limit else {
      changes += isSame(old, new, level: level) ? 0 : 1
      return
    }
    guard level < deepestLevel else { return report(path, "not compared: nested too deep") }
    guard type(of: old) == type(of: new) else { return reportChange(old, new, at: path) }
    let before = changes
    let mirrors = (Mirror(reflecting: old), Mirror(reflecting: new))
    switch mirrors.0.displayStyle {
    case .collection:
      compareElements(old, new, at: path, level: level)
    case .set:
      compareMembers(members(of: old), members(of: new), at: path)
    case .dictionary:
      compareEntries(entries(of: old), entries(of: new), at: path, level: level)
    case .class:
      return compareObjects(old, new, mirrors, at: path, level: level)
    default:
      if reads(old, unlike: new, mirrors) { return reportChange(old, new, at: path) }
      if mirrors.0.children.isEmpty {
        if !isSame(old, new) { report(path, unseenChange(in: new)) }
        return
      }
      compareParts(mirrors, at: path, level: level)
    }
    // Within an object that is another one, all the objects in it may be, which is no news.
    if changes == before, verdict == .different, openObjects == 0 {
      report(path, unseenChange(in: new))
    }
  }

  /// Whether two values of one type are best shown whole, next to each other.
  private func reads(_ old: Any, unlike new: Any, _ mirrors: (Mirror, Mirror)) -> Bool {
    if isSystemType(type(of: old)), mirrors.0.displayStyle != .optional,
      old is any CustomStringConvertible
    {
      return String(describing: old) != String(describing: new)
    }
    let (oldParts, newParts) = (allParts(of: mirrors.0), allParts(of: mirrors.1))
    if oldParts.isEmpty, newParts.isEmpty {
      return String(describing: old) != String(describing: new)
    }
    return oldParts.map(\.label) != newParts.map(\.label)
  }

  private mutating func compareParts(
    _ mirrors: (Mirror, Mirror), at path: DifferencePath, level: Int
  ) {
    let style = mirrors.0.displayStyle
    for (oldPart, newPart) in zip(allParts(of: mirrors.0), allParts(of: mirrors.1)) {
      let partPath =
        switch style {
        case .optional: path.unwrapped
        case .enum: path.inCase(oldPart.label ?? "")
        default: path.inPart(oldPart.label ?? "")
        }
      compare(oldPart.value, newPart.value, at: partPath, level: level + 1)
    }
  }

  private mutating func compareObjects(
    _ old: Any, _ new: Any, _ mirrors: (Mirror, Mirror), at path: DifferencePath, level: Int
  ) {
    let pair = ObjectPair(
      old: ObjectIdentifier(old as AnyObject), new: ObjectIdentifier(new as AnyObject))
    switch seenObjects[pair] {
    case .changed(let other): return report(path, "changed as \(other.place) did")
    case .looksTheSame:
      if openObjects == 0 { report(path, "another object that reads the same: \(describe(new))") }
      return
    case nil: break
    }
    seenObjects[pair] = .looksTheSame
    let before = changes
    if reads(old, unlike: new, mirrors) {
      reportChange(old, new, at: path)
    } else {
      openObjects += 1
      compareParts(mirrors, at: path, level: level)
      openObjects -= 1
    }
    if changes > before {
      seenObjects[pair] = .changed(at: path)
    } else if openObjects == 0 {
      report(path, "another object that reads the same: \(describe(new))")
    }
  }

  private mutating func compareElements(
    _ old: Any, _ new: Any, at path: DifferencePath, level: Int
  ) {
    let edits = ElementEdits(from: old, to: new)
    for run in runs(of: edits.removals) {
      reportGroup("removed", run.map { (path.inElement($0), edits.old(at: $0)) }, path, run)
    }
    var inserted: [Int] = []
    for arrival in edits.arrivals {
      switch arrival {
      case .inserted(let position):
        inserted.append(position)
      case .kept(let origin, let position, let isMoved):
        reportInsertions(inserted, edits, at: path)
        inserted = []
        let elementPath = path.inElement(position)
        if isMoved { report(elementPath, "moved here from [\(origin)]") }
        compare(edits.old(at: origin), edits.new(at: position), at: elementPath, level: level + 1)
      }
    }
    reportInsertions(inserted, edits, at: path)
  }

  private mutating func reportInsertions(
    _ positions: [Int], _ edits: ElementEdits, at path: DifferencePath
  ) {
    for run in runs(of: positions) {
      reportGroup("inserted", run.map { (path.inElement($0), edits.new(at: $0)) }, path, run)
    }
  }

  private mutating func compareMembers(
    _ old: Set<AnyHashable>, _ new: Set<AnyHashable>, at path: DifferencePath
  ) {
    for (word, members) in [("removed", old.subtracting(new)), ("inserted", new.subtracting(old))] {
      let members = inStableOrder(Array(members)) { $0 }
      reportGroup(word, members.map { (path, $0.base) }, path, nil)
    }
  }

  private mutating func compareEntries(
    _ old: [AnyHashable: Any], _ new: [AnyHashable: Any], at path: DifferencePath, level: Int
  ) {
    let changed = new.filter { key, value in
      old[key].map { !isSame($0, value, level: level + 1) } ?? true
    }
    let removed = old.filter { key, _ in new[key] == nil }
    reportEntries("removed", removed, at: path)
    reportEntries("inserted", changed.filter { old[$0.key] == nil }, at: path)
    for (key, value) in inStableOrder(Array(changed), by: { $0.key }) {
      guard let previous = old[key] else { continue }
      compare(previous, value, at: path.inEntry(key.base), level: level + 1)
    }
  }

  private mutating func reportEntries(
    _ word: String, _ entries: [AnyHashable: Any], at path: DifferencePath
  ) {
    let entries = inStableOrder(Array(entries)) { $0.key }
    reportGroup(word, entries.map { (path.inEntry($0.key.base), $0.value) }, path, nil)
  }
}

// MARK: - Lines

extension DifferenceWalk {
  private mutating func report(_ path: DifferencePath, _ text: @autoclosure () -> String) {
    changes += 1
    if lines.count < limit { lines.append(path.labelling(text())) }
  }

  private mutating func reportChange(_ old: Any, _ new: Any, at path: DifferencePath) {
    report(path, changeText(from: old, to: new))
  }

  /// Reports elements that came or went together: a line for each of a few, one line for many.
  private mutating func reportGroup(
    _ word: String, _ items: [(path: DifferencePath, value: Any)], _ path: DifferencePath,
    _ positions: Range<Int>?
  ) {
    guard items.count > 3, let first = items.first, let last = items.last else {
      for item in items { report(item.path, "\(word) \(describe(item.value))") }
      return
    }
    let (firstText, lastText) = (describe(first.value, limit: 60), describe(last.value, limit: 60))
    report(
      positions.map { path.inElements($0) } ?? path,
      "\(word) \(items.count), \(firstText) to \(lastText)")
  }
}
