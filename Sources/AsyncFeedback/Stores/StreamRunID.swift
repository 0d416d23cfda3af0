/// Says which store, and which generation of it, a run belongs to; see `StreamValue.runID`.
///
/// Two stores never have the same while both are alive, and a refresh gives a store another.
public nonisolated struct StreamRunID: Hashable, Sendable {
  private let object: ObjectIdentifier
  private let generation: Int

  init(_ object: AnyObject, generation: Int) {
    self.object = ObjectIdentifier(object)
    self.generation = generation
  }
}
