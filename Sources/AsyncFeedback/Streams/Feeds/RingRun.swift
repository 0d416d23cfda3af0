public import Synchronization

/// A run that keeps elements in a row: the newest or the oldest so many.
///
/// There are two pages. The producer fills one under the lock; when the consumer has emptied the other,
/// it swaps them under the lock and claims its elements without. So the lock is hardly ever contended,
/// and nothing is allocated for an element.
@usableFromInline package final class RingRun<Element: Sendable>: FeedRun {
  @usableFromInline package let setting: FeedSetting
  @usableFromInline package let drain: FeedDrain<Element>
  @usableFromInline
  struct State {
    @usableFromInline var core = FeedCore()
    @usableFromInline var fill = FeedPage<Element>()
    @usableFromInline var gaps = FeedGaps()
    @usableFromInline let limit: Int
    @usableFromInline let dropsOldest: Bool
    /// How many elements the page of the consumer had.
    @usableFromInline var pageCount = 0
    /// How many of them the producer has claimed back.
    @usableFromInline var stolen = 0
    /// How many of them may be unclaimed yet; never too few.
    @usableFromInline var unclaimed = 0
    @usableFromInline var received = 0
    @usableFromInline var dropped = 0
    var delivered = 0
    var abandoned = 0
    @usableFromInline var highWaterMark = 0

    @usableFromInline
    init(limit: Int, dropsOldest: Bool) {
      self.limit = limit
      self.dropsOldest = dropsOldest
    }
  }

  @usableFromInline let lock: Lock<State>

  @usableFromInline
  init(
    _ setting: FeedSetting, _ drain: FeedDrain<Element>, limit: Int, dropsOldest: Bool
  ) {
    lock = Lock(State(limit: limit, dropsOldest: dropsOldest))
    self.setting = setting
    self.drain = drain
  }

  deinit {
    lock.withLock { state in
      state.fill.clear()
      state.fill.base.deallocate()
    }
  }

  @inlinable
  func send(_ element: Element) -> Bool {
    // An element that has to go is let go of outside the lock.
    var evicted: Element?
    let sent = lock.withLock { state -> FeedSent in
      guard state.core.isOpen else { return FeedSent(isTaken: false) }
      var sent = FeedSent(isTaken: true)
      state.received &+= 1
      if state.fill.count &+ state.unclaimed >= state.limit {
        let dropped = state.dropped
        sent.isTaken = state.makeRoom(drain, &evicted)
        if dropped < state.dropped, !state.core.isInGap {
          state.core.isInGap = true
          sent.beginsGap = true
        }
        guard sent.isTaken else { return sent }
      }
      state.fill.append(element)
      if state.fill.count &+ state.unclaimed > state.highWaterMark {
        sent.mark = state.noteDepth(drain)
      }
      sent.waiter = state.core.takeWaiter()
      return sent
    }
    return follow(sent)
  }

  @usableFromInline
  package var counts: FeedCounts {
    lock.withLock { state in
      let unclaimed = state.countUnclaimed(drain)
      var counts = FeedCounts()
      counts.received = state.received
      counts.delivered = state.delivered + state.pageCount - unclaimed - state.stolen
      counts.dropped = state.dropped
      counts.abandoned = state.abandoned
      counts.depth = state.fill.count + unclaimed
      counts.highWaterMark = state.highWaterMark
      return counts
    }
  }

  @usableFromInline
  package func withCore<Result: Sendable>(
    _ body: @Sendable (inout FeedCore) -> Result
  ) -> Result {
    lock.withLock { body(&$0.core) }
  }

  @usableFromInline
  package func register(
    _ waiter: UnsafeContinuation<Void, Never>, hasAlarm: Bool
  ) -> Bool {
    lock.withLock { state in
      guard state.fill.count == 0, state.core.isOpen else { return false }
      state.core.keep(waiter, hasAlarm: hasAlarm)
      return true
    }
  }

  @usableFromInline
  package func abandon() -> FeedClosing {
    // Both are let go of outside the lock.
    var rest: FeedPage<Element>?
    var left = 0..<0
    let closing = lock.withLock { state -> FeedClosing in
      guard !state.core.isStopped else { return state.core.close() }
      state.core.isStopped = true
      let claimed = min(
        drain.claimed.exchange(state.pageCount, ordering: .relaxed), state.pageCount)
      left = claimed..<state.pageCount
      state.delivered += claimed - state.stolen
      state.abandoned += left.count + state.fill.count
      state.forgetPage()
      rest = state.fill
      state.fill = FeedPage()
      return state.core.close()
    }
    // The claim was for all that was left.
    for index in left { drain.state.pointee.page.place(index).deinitialize(count: 1) }
    rest?.clear()
    rest?.base.deallocate()
    return closing
  }
}

extension RingRun {
  @usableFromInline
  package nonisolated(nonsending) func sleepUntilDeadline() async {}

  @usableFromInline
  package nonisolated(nonsending) func room() async {}
}

// MARK: - Looking

extension RingRun {
  /// Takes what was lost before the next element.
  private func takeLost() -> Int {
    let lost = drain.state.pointee.lost
    drain.state.pointee.lost = 0
    passGap(lost)
    return lost
  }

  /// Takes the next element under the consumer's hands, telling of what was lost before it.
  private func takeFromPage(tellingGaps: Bool) -> FeedLook<Element>? {
    let state = drain.state
    while true {
      // What the producer has claimed back is lost.
      let reached = min(drain.claimed.load(ordering: .relaxed), state.pointee.page.count)
      state.pointee.lost += max(0, reached - state.pointee.expected)
      state.pointee.expected = max(reached, state.pointee.expected)
      let expected = state.pointee.expected
      state.pointee.lost += state.pointee.gaps.take(upTo: expected)
      // A gap at the end of the page may go on in the next.
      guard expected < state.pointee.page.count else { return nil }
      let lost = takeLost()
      if lost > 0, tellingGaps { return .gap(lost) }
      let (isMine, _) = drain.claimed.compareExchange(
        expected: expected, desired: expected + 1, ordering: .relaxed)
      guard isMine else { continue }
      state.pointee.expected = expected + 1
      return .element(state.pointee.page.place(expected).move())
    }
  }

  @usableFromInline
  package func look(tellingGaps: Bool) -> FeedLook<Element> {
    while true {
      if let found = takeFromPage(tellingGaps: tellingGaps) { return found }
      let end: FeedLook<Element>? = lock.withLock { state in
        let page = drain.state
        guard !state.core.isStopped else { return .ended(nil) }
        state.delivered += state.pageCount - state.stolen
        state.forgetPage()
        page.pointee.page.reset()
        page.pointee.expected = 0
        drain.claimed.store(0, ordering: .relaxed)
        if state.fill.count > 0 || !state.gaps.isEmpty {
          swap(&page.pointee.page, &state.fill)
          swap(&page.pointee.gaps, &state.gaps)
          state.pageCount = page.pointee.page.count
          state.unclaimed = state.pageCount
          return nil
        }
        if page.pointee.lost > 0, tellingGaps { return .gap(page.pointee.lost) }
        guard state.core.isOpen else { return .ended(state.core.failure.take()) }
        return .nothing(until: nil)
      }
      if let end {
        _ = takeLost()
        setting.counters.noteEmptied()
        return end
      }
    }
  }
}

extension RingRun.State {
  /// How many elements of the consumer's page nobody has claimed yet.
  @inlinable
  func countUnclaimed(_ drain: FeedDrain<Element>) -> Int {
    max(0, pageCount - drain.claimed.load(ordering: .relaxed))
  }

  /// Forgets the page of the consumer, all of which is claimed.
  mutating func forgetPage() {
    pageCount = 0
    stolen = 0
    unclaimed = 0
  }

  /// Makes room for one element; false if there is none.
  @inlinable
  mutating func makeRoom(_ drain: FeedDrain<Element>, _ evicted: inout Element?) -> Bool {
    unclaimed = countUnclaimed(drain)
    if fill.count + unclaimed < limit { return true }
    guard dropsOldest else {
      dropped += 1
      gaps.add(before: fill.count)
      return false
    }
    if unclaimed > 0 {
      let index = drain.claimed.add(1, ordering: .relaxed).oldValue
      unclaimed = max(0, pageCount - index - 1)
      if index < pageCount {
        evicted = drain.state.pointee.page.place(index).move()
        stolen += 1
        dropped += 1
        return true
      }
      // The consumer has claimed the last of them meanwhile.
      if fill.count < limit { return true }
    }
    evicted = fill.removeFirst()
    dropped += 1
    gaps.add(before: 0)
    return true
  }

  /// Notes how many wait, and returns the number if it is one to report.
  @inlinable
  mutating func noteDepth(_ drain: FeedDrain<Element>) -> Int {
    unclaimed = countUnclaimed(drain)
    let depth = fill.count + unclaimed
    guard depth > highWaterMark else { return 0 }
    highWaterMark = depth
    return FeedReport.isMark(depth) ? depth : 0
  }
}
