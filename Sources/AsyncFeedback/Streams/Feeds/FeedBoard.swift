public import Observation

/// The counts of many feeds, by name and key.
///
/// Feeds with one name and key share their counts here, also when they are made anew for each run, as in
/// `.stream(\.room) { room in … }`. A key that nobody consumes any more stays listed among the last of
/// those; beyond the limit the one that ended first goes, and its counts go into ``forgotten``, so that
/// the total stays exact. When it comes back it begins at zero.
public final class FeedBoard: Observable, Sendable {
  fileprivate struct State {
    var listed: [FeedID: FeedCounters] = [:]
    /// Those without a run, by the number of the end of their last one.
    var ended: [FeedID: Int] = [:]
    /// The same in the order of their ends; those that are not listed with that number any more are void.
    var order = ElementQueue<(id: FeedID, number: Int)>()
    var number = 0
    var forgotten = FeedCounts()
  }

  private let limit: Int
  private let state = Lock(State())
  private let teller = Teller()

  /// - Parameter limit: how many keys stay listed that nobody consumes any more.
  public init(keepingEnded limit: Int = 100) {
    precondition(limit >= 0, "limit must not be negative (was \(limit))")
    self.limit = limit
  }
}

// MARK: - Reading

extension FeedBoard {
  /// The counts of each name and key, in the order of these.
  ///
  /// A reading that is tracked through Observation is told of what is listed and what goes; the counts
  /// tell of their own changes.
  public var feeds: [FeedCounters] {
    teller.registrar.access(self, keyPath: \.feeds)
    return state.withLock { Array($0.listed.values) }
      .sorted { ($0.name, $0.key ?? "") < ($1.name, $1.key ?? "") }
  }

  /// The sum of the counts of the keys that are not listed any more.
  public var forgotten: FeedCounts {
    teller.registrar.access(self, keyPath: \.forgotten)
    return state.withLock { $0.forgotten }
  }

  /// The sum of all counts, of what is listed and what was.
  public var total: FeedCounts {
    teller.registrar.access(self, keyPath: \.feeds)
    teller.registrar.access(self, keyPath: \.forgotten)
    // In one look: what goes off the list in between would be missing from both.
    let (listed, forgotten) = state.withLock { ($0.listed.values, $0.forgotten) }
    return listed.reduce(into: forgotten) { $0.add($1.counts) }
  }

  /// The counts of a name and key, if they are listed.
  public func counters(
    _ name: String, key: (any Hashable & Sendable)? = nil
  ) -> FeedCounters? {
    teller.registrar.access(self, keyPath: \.feeds)
    let id = FeedID(name: name, key: key)
    return state.withLock { $0.listed[id] }
  }
}

// MARK: - Listing

extension FeedBoard {
  /// Gives the counters of a feed to a body, which may begin a run of them, and lists them.
  func withCounters<Result: Sendable>(
    of id: FeedID, _ body: @Sendable (FeedCounters) -> Result
  ) -> Result {
    let (result, isNew): (Result, Bool) = state.withLock { state in
      let known = state.listed[id]
      let counters = known ?? makeCounters(id)
      state.listed[id] = counters
      let result = body(counters)
      if counters.hasEnded {
        // What is only looked at is listed too; the newest of it stays in any case.
        if known == nil {
          state.noteEnd(of: id)
          _ = state.forgetOldest(beyond: max(limit, 1))
        }
      } else {
        state.ended[id] = nil
      }
      return (result, known == nil)
    }
    if isNew { tell() }
    return result
  }

  private func makeCounters(_ id: FeedID) -> FeedCounters {
    let counters = FeedCounters(id)
    counters.onEnd { [weak self] in self?.noteEnd(of: id, $0) }
    return counters
  }

  private func noteEnd(of id: FeedID, _ counters: FeedCounters) {
    let hasForgotten = state.withLock { state in
      // It may run again by now.
      guard state.listed[id] === counters, counters.hasEnded else { return false }
      state.noteEnd(of: id)
      return state.forgetOldest(beyond: limit)
    }
    if hasForgotten { tell() }
  }

  private func tell() {
    teller.tell { registrar in
      registrar.willSet(self, keyPath: \.feeds)
      registrar.didSet(self, keyPath: \.feeds)
      registrar.willSet(self, keyPath: \.forgotten)
      registrar.didSet(self, keyPath: \.forgotten)
    }
  }
}

extension FeedBoard.State {
  fileprivate mutating func noteEnd(of id: FeedID) {
    number += 1
    ended[id] = number
    order.append((id, number))
    // A key that ends again and again leaves only its last end.
    guard order.count > 2 * ended.count + 16 else { return }
    var valid = ElementQueue<(id: FeedID, number: Int)>()
    while let entry = order.popFirst() {
      if ended[entry.id] == entry.number { valid.append(entry) }
    }
    order = valid
  }

  /// Takes those off the list that ended first.
  fileprivate mutating func forgetOldest(beyond limit: Int) -> Bool {
    var hasForgotten = false
    while ended.count > limit, let oldest = order.popFirst() {
      guard ended[oldest.id] == oldest.number else { continue }
      ended[oldest.id] = nil
      guard let counters = listed.removeValue(forKey: oldest.id) else { continue }
      forgotten.add(counters.sum)
      hasForgotten = true
    }
    return hasForgotten
  }
}
