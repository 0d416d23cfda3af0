public import Observation
public import Synchronization

/// The counts of a feed, over all its runs.
///
/// They can be read from any thread while the feed runs, and are exact: a reading is of one moment for
/// each run. Whoever tracks a reading through Observation is told that they have changed, at the first
/// change and then more and more rarely until they are read again (so that elements do not pay for it),
/// and, for the first few times, when the consumer has taken all there was. A change is reported on the
/// thread that made it, or on another that reports one at that moment: never on two at once.
public final class FeedCounters: Observable, Sendable {
  private struct State {
    var ended = FeedCounts()
    var running: [ObjectIdentifier: any FeedRun] = [:]
    var starts = 0
  }

  private let id: FeedID

  private let state = Lock(State())
  private let teller = Teller()
  /// How often it is still told that the consumer has taken all.
  private let rests = Atomic(0)
  /// How many changes there were since somebody read, counted from one; 0 when nobody did for long.
  @usableFromInline let changes = Atomic<UInt32>(0)
  private let onEnd: Lock<(@Sendable (FeedCounters) -> Void)?> = Lock(nil)

  init(_ id: FeedID) {
    self.id = id
  }

  /// The name of the feed.
  public var name: String { id.name }

  /// The key of the feed, as it is described.
  public var key: String? { id.key?.text }

  /// The counts of this moment.
  public var counts: FeedCounts {
    noteReading(\.counts)
    return sum
  }

  /// The same without a note that somebody reads.
  var sum: FeedCounts {
    state.withLock { state in
      var counts = state.ended
      for run in state.running.values { counts.add(run.counts) }
      counts.restarts = max(0, state.starts - 1)
      return counts
    }
  }

  /// How many consumers are at work; more than one is most often a mistake.
  public var consumers: Int {
    noteReading(\.consumers)
    return state.withLock { $0.running.count }
  }
}

// MARK: - Runs

extension FeedCounters {
  /// Notes a run that begins; whoever calls it tells of it.
  ///
  /// - Returns: how often the producer was started before, and how many consumers there are now.
  func begin(_ run: any FeedRun) -> (restarts: Int, consumers: Int) {
    state.withLock { state in
      state.running[ObjectIdentifier(run)] = run
      state.starts += 1
      return (state.starts - 1, state.running.count)
    }
  }

  /// Notes that a run has ended, and returns its counts; nil if that is known.
  func end(_ run: any FeedRun) -> FeedCounts? {
    let counts: (FeedCounts, Bool)? = state.withLock { state in
      guard state.running.removeValue(forKey: ObjectIdentifier(run)) != nil else { return nil }
      let counts = run.counts
      state.ended.add(counts)
      return (counts, state.running.isEmpty)
    }
    guard let counts else { return nil }
    tell()
    if counts.1 { onEnd.withLock { $0 }?(self) }
    return counts.0
  }

  /// Has somebody told whenever the last run has ended.
  func onEnd(_ tell: @escaping @Sendable (FeedCounters) -> Void) {
    onEnd.withLock { $0 = tell }
  }

  /// Whether no run is going.
  var hasEnded: Bool { state.withLock { $0.running.isEmpty } }
}

// MARK: - Observation

extension FeedCounters {
  private func noteReading(_ field: KeyPath<FeedCounters, some Any>) {
    teller.registrar.access(self, keyPath: field)
    // Before the reading: a change that it does not see is told of.
    rests.store(4, ordering: .relaxed)
    changes.store(1, ordering: .sequentiallyConsistent)
  }

  /// Notes that a count has changed.
  @inlinable
  @inline(__always)
  func noteChange() {
    if changes.load(ordering: .relaxed) > 0 { tellNowAndThen() }
  }

  /// Tells at the first change since a reading and then at each power of two.
  ///
  /// Once would not do: whoever tracks a reading is listed only after it, and what happens in between
  /// reaches nobody. After a million changes nobody can be waiting.
  @usableFromInline
  func tellNowAndThen() {
    let change = changes.add(1, ordering: .relaxed).oldValue
    guard change > 0, change & (change &- 1) == 0 else { return }
    if change >= 1 << 20 {
      // Unless somebody reads in this moment.
      _ = changes.compareExchange(expected: change &+ 1, desired: 0, ordering: .relaxed)
    }
    tell()
  }

  /// Notes that the consumer has taken all there was.
  func noteEmptied() {
    guard changes.load(ordering: .relaxed) > 0 else { return }
    if rests.load(ordering: .relaxed) > 0 {
      rests.subtract(1, ordering: .relaxed)
      tell()
    } else {
      tellNowAndThen()
    }
  }

  /// Tells whoever tracks a reading.
  ///
  /// Called outside all locks.
  func tell() {
    teller.tell { registrar in
      registrar.willSet(self, keyPath: \.counts)
      registrar.didSet(self, keyPath: \.counts)
      registrar.willSet(self, keyPath: \.consumers)
      registrar.didSet(self, keyPath: \.consumers)
    }
  }
}
