private import Synchronization

/// The watchers whose consumers have gone, from whichever thread, until the driver removes them.
final class RetiredWatchers: Sendable {
  private let ids = Lock<Set<ObjectIdentifier>>([])
  private let flag = Atomic<Bool>(false)

  /// Whether there are any.
  ///
  /// May lag behind by an instant.
  var isEmpty: Bool { !flag.load(ordering: .relaxed) }

  /// Adds one, and tells whether it is the first.
  func add(_ id: ObjectIdentifier) -> Bool {
    ids.withLock { ids in
      ids.insert(id)
      flag.store(true, ordering: .relaxed)
      return ids.count == 1
    }
  }

  func takeAll() -> Set<ObjectIdentifier> {
    ids.withLock { ids in
      flag.store(false, ordering: .relaxed)
      defer { ids.removeAll() }
      return ids
    }
  }
}
