/// The runs that have not ended, by their numbers.
///
/// The one that came last stands by itself. Where runs follow each other, as in a chain, there is no
/// other, and none of them pays for being hashed.
package struct RunTable: Sequence {
  private var newest: (id: RunID, run: Machine.Run)?
  private var others: [RunID: Machine.Run] = [:]

  package var count: Int { others.count + (newest == nil ? 0 : 1) }

  package var isEmpty: Bool { count == 0 }

  package subscript(id: RunID) -> Machine.Run? {
    if let newest, newest.id == id { return newest.run }
    return others.isEmpty ? nil : others[id]
  }

  mutating func insert(_ run: Machine.Run, as id: RunID) {
    if let newest { others[newest.id] = newest.run }
    newest = (id, run)
  }

  mutating func remove(_ id: RunID) -> Machine.Run? {
    guard let run = newest, run.id == id else {
      return others.isEmpty ? nil : others.removeValue(forKey: id)
    }
    newest = nil
    return run.run
  }

  /// Changes a run; nil if there is none of that number.
  mutating func update<Result>(_ id: RunID, _ change: (inout Machine.Run) -> Result) -> Result? {
    if var newest, newest.id == id {
      defer { self.newest = newest }
      return change(&newest.run)
    }
    guard !others.isEmpty, let index = others.index(forKey: id) else { return nil }
    return change(&others.values[index])
  }

  package func makeIterator() -> some IteratorProtocol<(id: RunID, run: Machine.Run)> {
    let others = others.lazy.map { (id: $0.key, run: $0.value) }
    var rest = others.makeIterator()
    var first = newest
    return AnyIterator { first.take() ?? rest.next() }
  }
}
