/// What changed from one value to another, as lines to read.
///
/// ```swift
/// print(Difference(from: ["a", "b", "c"], to: ["a", "B", "c", "d"]))
/// // [1]: "b" → "B"
/// // [3]: inserted "d"
/// ```
///
/// Only what changed is shown, each time with the path to it. Elements of a collection that are
/// `Identifiable` are matched by their ids, others by their order; a position is one in the new
/// value, except that of a removed element. Members of sets and keys of dictionaries come sorted.
/// What a line cannot show it says: a value that is too long is cut, and values that differ but
/// read the same are named as such.
///
/// Equal is unchanged: what `==` takes for equal makes no line. A value that is not even equal to
/// itself, like NaN, is unchanged if its bytes are. Values without `==` are compared by their parts,
/// and objects by identity.
///
/// The work is linear in the size of the two values where little has changed, and bounded
/// elsewhere. No more than `limit` changes get a line.
public struct Difference: Sendable {
  /// One line for each change, and a last one that counts the changes beyond the limit.
  public let lines: [String]

  /// Compares two values by reflection.
  ///
  /// - Parameter limit: how many changes get a line of their own.
  public init<Value>(from old: Value, to new: Value, limit: Int = 20) {
    precondition(limit > 0, "limit must be positive (was \(limit))")
    var walk = DifferenceWalk(limit: limit)
    walk.compare(old, new)
    lines = walk.allLines
  }

  /// Compares two values that are a part of others.
  package init(from old: Any, to new: Any, at parts: [String], limit: Int = 20) {
    var walk = DifferenceWalk(limit: limit)
    walk.compare(old, new, in: parts)
    lines = walk.allLines
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { lines.isEmpty }
}

extension Difference: CustomStringConvertible {
  /// The lines, or "no difference".
  public var description: String {
    isEmpty ? "no difference" : lines.joined(separator: "\n")
  }
}
