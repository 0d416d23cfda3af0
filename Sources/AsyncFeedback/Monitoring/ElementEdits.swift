/// What turns one list of elements into another, by position.
///
/// Elements that are `Identifiable` are matched by their ids, so one can be seen to move. All others
/// are aligned in order, with as few removals and insertions as a bounded search finds; past that
/// bound they are compared position by position. The work is linear in the number of elements for
/// a single change and never quadratic.
struct ElementEdits {
  /// An element of the new list, where it differs from the old one.
  enum Arrival {
    case inserted(at: Int)
    case kept(from: Int, at: Int, isMoved: Bool)
  }

  /// Positions in the old list, ascending.
  private(set) var removals: [Int] = []

  /// Ascending by their position in the new list.
  private(set) var arrivals: [Arrival] = []

  private let olds: [Any]
  private let news: [Any]

  /// How many elements both lists share before the ones in question.
  private let offset: Int

  /// Compares two values of one type that reflect as collections.
  init(from old: Any, to new: Any) {
    func compare<Elements: RandomAccessCollection>(_ old: Elements) -> ElementEdits? {
      (new as? Elements).map { ElementEdits(from: old, to: $0) }
    }
    if let old = old as? any RandomAccessCollection, let edits = compare(old) {
      self = edits
    } else {
      self.init(
        from: Mirror(reflecting: old).children.map(\.value),
        to: Mirror(reflecting: new).children.map(\.value))
    }
  }

  private init<Elements: RandomAccessCollection>(from old: Elements, to new: Elements) {
    let (prefix, suffix) = sharedEnds(old, new)
    offset = prefix
    olds = Array(old.dropFirst(prefix).dropLast(suffix))
    news = Array(new.dropFirst(prefix).dropLast(suffix))
    if !matchIdentities() { align() }
  }

  func old(at position: Int) -> Any { olds[position - offset] }

  func new(at position: Int) -> Any { news[position - offset] }

  private mutating func remove(_ position: Int) {
    removals.append(position + offset)
  }

  private mutating func insert(_ position: Int) {
    arrivals.append(.inserted(at: position + offset))
  }

  private mutating func keep(_ origin: Int, at position: Int, isMoved: Bool = false) {
    guard isMoved || !isSame(olds[origin], news[position]) else { return }
    arrivals.append(.kept(from: origin + offset, at: position + offset, isMoved: isMoved))
  }

  // MARK: By identity

  private mutating func matchIdentities() -> Bool {
    guard let origins = positionsByID(olds), let positions = positionsByID(news) else {
      return false
    }
    for (position, element) in olds.enumerated() {
      if let id = identity(of: element), positions[id] == nil { remove(position) }
    }
    let newOrigins = news.map { element in identity(of: element).flatMap { origins[$0] } }
    let steady = longestAscent(in: newOrigins.compactMap { $0 })
    for (position, origin) in newOrigins.enumerated() {
      if let origin {
        keep(origin, at: position, isMoved: !steady.contains(origin))
      } else {
        insert(position)
      }
    }
    return true
  }

  // MARK: By order

  private mutating func align() {
    let shared = commonSubsequence(olds, news) ?? []
    var (oldStart, newStart) = (0, 0)
    for (oldEnd, newEnd) in shared + [(olds.count, news.count)] {
      replace(oldStart..<oldEnd, with: newStart..<newEnd)
      (oldStart, newStart) = (oldEnd + 1, newEnd + 1)
    }
  }

  /// Takes the elements of one gap for changed, as far as there are as many on both sides.
  private mutating func replace(_ removed: Range<Int>, with inserted: Range<Int>) {
    let changed = min(removed.count, inserted.count)
    for (origin, position) in zip(removed, inserted) { keep(origin, at: position) }
    for position in removed.dropFirst(changed) { remove(position) }
    for position in inserted.dropFirst(changed) { insert(position) }
  }
}

/// The positions of the elements by their ids, or nil if one has none or two share one.
private func positionsByID(_ elements: [Any]) -> [AnyHashable: Int]? {
  var positions: [AnyHashable: Int] = [:]
  for (position, element) in elements.enumerated() {
    guard let id = identity(of: element), positions.updateValue(position, forKey: id) == nil else {
      return nil
    }
  }
  return positions
}

private func identity(of element: Any) -> AnyHashable? {
  func id<Element: Identifiable>(of element: Element) -> AnyHashable { AnyHashable(element.id) }
  return (element as? any Identifiable).map { id(of: $0) }
}

/// The members of a longest ascending subsequence: the elements that need not move.
private func longestAscent(in numbers: [Int]) -> Set<Int> {
  // `tails[k]` is the place of the smallest number that ends an ascent of k + 1 numbers.
  var tails: [Int] = []
  var previous: [Int?] = []
  for (place, number) in numbers.enumerated() {
    var (low, high) = (0, tails.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
    }
    previous.append(low > 0 ? tails[low - 1] : nil)
    if low == tails.count { tails.append(place) } else { tails[low] = place }
  }
  var ascent: Set<Int> = []
  var place = tails.last
  while let current = place {
    ascent.insert(numbers[current])
    place = previous[current]
  }
  return ascent
}

/// The pairs of positions of a longest common subsequence, or nil if the search for it would exceed
/// its bound.
///
/// This is the greedy algorithm of Eugene W. Myers, "An O(ND) Difference Algorithm and Its
/// Variations" (1986).
private func commonSubsequence(_ old: [Any], _ new: [Any]) -> [(Int, Int)]? {
  let mostEdits = min(old.count + new.count, 200)
  var comparisons = 2 * (old.count + new.count) + 1_000
  // `reach[k]` is the furthest old position on the diagonal k (old minus new position).
  var reach = [1: 0]
  var history: [[Int: Int]] = []
  for edits in 0...mostEdits {
    history.append(reach)
    for diagonal in stride(from: -edits, through: edits, by: 2) {
      var oldPosition = start(on: diagonal, after: edits, reach)
      var newPosition = oldPosition - diagonal
      while oldPosition < old.count, newPosition < new.count {
        comparisons -= 1
        guard comparisons > 0 else { return nil }
        guard isSame(old[oldPosition], new[newPosition]) else { break }
        oldPosition += 1
        newPosition += 1
      }
      reach[diagonal] = oldPosition
      if oldPosition == old.count, newPosition == new.count {
        return trace(history, from: (old.count, new.count))
      }
    }
  }
  return nil
}

/// Walks the recorded search back from its end and collects the positions where both lists agree.
private func trace(_ history: [[Int: Int]], from end: (Int, Int)) -> [(Int, Int)] {
  var pairs: [(Int, Int)] = []
  var (oldPosition, newPosition) = end
  for (edits, reach) in history.enumerated().reversed() {
    let diagonal = oldPosition - newPosition
    let oldStart = edits == 0 ? 0 : start(on: diagonal, after: edits, reach)
    while oldPosition > oldStart {
      oldPosition -= 1
      newPosition -= 1
      pairs.append((oldPosition, newPosition))
    }
    guard edits > 0 else { break }
    if isInsertion(on: diagonal, after: edits, reach) {
      newPosition -= 1
    } else {
      oldPosition -= 1
    }
  }
  return pairs.reversed()
}

private func start(on diagonal: Int, after edits: Int, _ reach: [Int: Int]) -> Int {
  isInsertion(on: diagonal, after: edits, reach)
    ? reach[diagonal + 1, default: 0] : reach[diagonal - 1, default: 0] + 1
}

private func isInsertion(on diagonal: Int, after edits: Int, _ reach: [Int: Int]) -> Bool {
  diagonal == -edits
    || (diagonal != edits && reach[diagonal - 1, default: 0] < reach[diagonal + 1, default: 0])
}
