public import Synchronization

/// One iteration of a feed: what its producer fills and its consumer empties.
///
/// Everything but `look` may be called from any thread.
@usableFromInline
package protocol FeedRun<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  var setting: FeedSetting { get }
  var drain: FeedDrain<Element> { get }
  /// What of the counts concerns this run alone.
  var counts: FeedCounts { get }

  /// Takes what the consumer can have. Called by the consumer only.
  func look(tellingGaps: Bool) -> FeedLook<Element>
  /// Keeps the consumer to be woken; false if it need not wait.
  func register(_ waiter: UnsafeContinuation<Void, Never>, hasAlarm: Bool) -> Bool
  /// Reaches the core under the lock.
  func withCore<Result: Sendable>(_ body: @Sendable (inout FeedCore) -> Result) -> Result
  /// Lets go of what waits, and ends both sides; returns whom to tell.
  func abandon() -> FeedClosing
  /// Suspends until the deadline of what waits.
  nonisolated(nonsending) func sleepUntilDeadline() async
  /// Suspends the producer until the consumer has made room.
  nonisolated(nonsending) func room() async
}

// MARK: - The producer's side

extension FeedRun {
  /// Ends the run: the consumer gets what waits, and then the error.
  func finish(_ failure: (any Error)?) {
    let closing: FeedClosing? = withCore { core in
      guard core.isOpen else { return nil }
      core.failure = failure
      return core.close()
    }
    closing?.perform()
  }

  /// Takes what stops the producer, and does it at once if the run is over.
  func install(_ stop: @escaping @Sendable () -> Void) {
    let overdue = withCore { $0.install(stop) }
    overdue?()
  }

  /// Does what follows from an element, outside the lock.
  @inlinable
  @inline(__always)
  func follow(_ sent: FeedSent) -> Bool {
    if sent.beginsGap || sent.mark > 0 { report(sent) }
    sent.waiter?.resume()
    setting.counters.noteChange()
    return sent.isTaken
  }

  @usableFromInline
  func report(_ sent: FeedSent) {
    guard let reporter = setting.reporter else { return }
    if sent.mark > 0 { reporter.report(.highWaterMark(sent.mark)) }
    if sent.beginsGap { reporter.report(.gapBegan) }
  }
}

// MARK: - The consumer's side

extension FeedRun {
  /// Ends the run and lets go of what waits.
  func stop() {
    abandon().perform()
    guard let counts = setting.counters.end(self), let reporter = setting.reporter else { return }
    reporter.leave()
    reporter.report(.stopped(counts))
  }

  /// Notes that the consumer has come to the end of a gap.
  func passGap(_ count: Int) {
    guard count > 0, let reporter = setting.reporter else { return }
    withCore { $0.isInGap = false }
    reporter.report(.gapEnded(count))
  }

  /// Wakes the consumer to look again.
  func wake() {
    withCore { $0.takeWaiter() }?.resume()
  }

  /// Waits until there may be something to look at.
  nonisolated(nonsending) func wait(until deadline: Duration?) async {
    guard deadline != nil else { return await wait(hasAlarm: false) }
    async let _: Void = ring()
    await wait(hasAlarm: true)
  }

  private func wait(hasAlarm: Bool, isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      // The closure is isolated only by what it captures; without this it leaves the consumer's actor.
      _ = isolation
      await withUnsafeContinuation { waiter in
        if !register(waiter, hasAlarm: hasAlarm) { waiter.resume() }
      }
    } onCancel: {
      stop()
    }
  }

  private nonisolated(nonsending) func ring() async {
    await sleepUntilDeadline()
    if !Task.isCancelled { wake() }
  }
}

/// Elements that the consumer has been handed, and may claim without a lock.
///
/// They still count as waiting, so the producer can claim them back when it needs room. Each index is
/// claimed once, by whoever counts it up; what is claimed is that side's alone.
// The state is changed by the consumer only, under the lock of the run; the producer reads it under that.
@usableFromInline package final class FeedDrain<Element>: @unchecked Sendable {
  @usableFromInline
  struct State {
    // The consumer's alone, and first: to the thread sanitizer a change of any field is one of the place where
    // all of them begin, and the producer reads the page.
    /// The index after the last element that the consumer has had.
    @usableFromInline var expected = 0
    /// How many were dropped before the next element.
    @usableFromInline var lost = 0
    @usableFromInline var page = FeedPage<Element>()
    /// The gaps before elements of the page.
    @usableFromInline var gaps = FeedGaps()

    @usableFromInline
    init() {}
  }

  @usableFromInline let state: UnsafeMutablePointer<State>
  @usableFromInline let claimed = Atomic(0)

  @usableFromInline
  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    state.pointee.page.clear(from: claimed.load(ordering: .acquiring))
    state.pointee.page.base.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The next element, if one is left and no gap is noted before it.
  @inlinable
  @inline(__always)
  func claim() -> Element? {
    let state = state
    guard state.pointee.expected < state.pointee.page.count, state.pointee.gaps.isEmpty else {
      return nil
    }
    let index = claimed.add(1, ordering: .relaxed).oldValue
    guard index < state.pointee.page.count else { return nil }
    state.pointee.lost &+= index &- state.pointee.expected
    state.pointee.expected = index &+ 1
    return state.pointee.page.place(index).move()
  }
}

/// Gaps in a row of elements, by the index of the element after each.
@usableFromInline
package struct FeedGaps: Sendable {
  private var list: [(index: Int, count: Int)] = []
  private var passed = 0
  @usableFromInline var isEmpty = true

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func add(before index: Int) {
    isEmpty = false
    if let last = list.last, last.index == index {
      list[list.count - 1].count += 1
    } else {
      list.append((index, 1))
    }
  }

  /// Takes what was lost before an element.
  mutating func take(upTo index: Int) -> Int {
    var count = 0
    while passed < list.count, list[passed].index <= index {
      count += list[passed].count
      passed += 1
    }
    if passed == list.count { clear() }
    return count
  }

  mutating func clear() {
    list.removeAll(keepingCapacity: true)
    passed = 0
    isEmpty = true
  }
}
