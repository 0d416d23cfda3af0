/// Says which store, and which generation of it, a run belongs to; see `StreamValue.runID`.
///
/// No two stores ever have the same, and a refresh gives a store another.
public nonisolated struct StreamRunID: Hashable, Sendable {
  // A number and no `ObjectIdentifier`: a new store may stand where one stood that has gone.
  let store: Int
  let generation: Int

  @MainActor private static var storeCount = 0

  /// The number of a store that is being made.
  @MainActor
  static func nextStore() -> Int {
    storeCount += 1
    return storeCount
  }
}
