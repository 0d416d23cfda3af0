/// What a feed keeps for a consumer that is slower than its producer.
///
/// There is no form without a bound and no default: which elements may be lost is for whoever knows what
/// they mean.
///
/// | policy | keeps | what goes | counted as |
/// |---|---|---|---|
/// | `.newest(100)` | the newest 100 | the oldest | dropped |
/// | `.oldest(100)` | the oldest 100 | the one that comes | dropped |
/// | `.latest(by: \.id, limit: 100)` | the latest of each key | the one it replaces | coalesced |
/// | | | beyond 100 keys, the key that waits longest | dropped |
/// | `.coalesced(over:limit:into:)` | one batch | the one that comes to a full batch | dropped |
/// | `.batches(of: .newest(100), over:)` | what the inner one keeps | what the inner one drops | as there |
///
/// `Input` is what the producer sends, `Element` what the consumer gets.
public struct FeedPolicy<Input: Sendable, Element: Sendable>: Sendable {
  @usableFromInline typealias MakeLine =
    @Sendable (FeedSetting, FeedDrain<Element>) -> FeedLine<Input, Element>

  let makeLine: MakeLine
  /// Makes the same buffer for a policy that is built on this one.
  fileprivate let makeBuffer: @Sendable () -> any FeedBuffer<Input, Element>

  @usableFromInline
  init(
    makeBuffer: @escaping @Sendable () -> any FeedBuffer<Input, Element>,
    makeLine: @escaping MakeLine
  ) {
    self.makeBuffer = makeBuffer
    self.makeLine = makeLine
  }
}

// MARK: - One by one

extension FeedPolicy where Input == Element {
  /// Keeps the newest elements; when there is no room the oldest goes.
  ///
  /// - Parameter limit: how many wait at the most; must be positive.
  @inlinable
  public static func newest(_ limit: Int) -> Self {
    row(limit, dropsOldest: true)
  }

  /// Keeps the oldest elements; what comes when there is no room is not taken.
  ///
  /// - Parameter limit: how many wait at the most; must be positive.
  @inlinable
  public static func oldest(_ limit: Int) -> Self {
    row(limit, dropsOldest: false)
  }

  @inlinable
  static func row(_ limit: Int, dropsOldest: Bool) -> Self {
    precondition(limit > 0, "limit must be positive (was \(limit))")
    return Self(
      makeBuffer: { RowBuffer(limit: limit, dropsOldest: dropsOldest) },
      makeLine: { setting, drain in
        let run = RingRun(setting, drain, limit: limit, dropsOldest: dropsOldest)
        return FeedLine(run: run) { run.send($0) }
      })
  }

  /// Keeps the latest element of each key, in the order in which the keys began to wait.
  ///
  /// A newer element takes the place of the one of its key that waits. A key whose element the consumer
  /// has taken goes to the end of the order with its next element. When so many keys wait that there is
  /// no room for another, the one that waits longest goes.
  ///
  /// - Parameters:
  ///   - key: reads the key. It is called on the producer's thread under the lock of the feed.
  ///   - limit: how many keys wait at the most; must be positive.
  @inlinable
  public static func latest<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Element) -> Key, limit: Int
  ) -> Self {
    precondition(limit > 0, "limit must be positive (was \(limit))")
    return Self(
      makeBuffer: { KeyedBuffer(by: key, limit: limit) },
      makeLine: { setting, drain in
        let run = ShelfRun(setting, drain, KeyedBuffer(by: key, limit: limit), timer: nil)
        return FeedLine(run: run) { run.send($0) }
      })
  }
}

// MARK: - By the window

extension FeedPolicy {
  /// Folds what comes within a window of time into one batch.
  ///
  /// A window opens with the first element that comes after the last batch was taken, and the batch can
  /// be had at its end: there is no batch at its beginning. A full batch can be had at once. One that the
  /// consumer does not take goes on growing until it is full, so at most one waits. The batch that is
  /// pending at the end comes at once, and an error after it.
  ///
  /// - Parameters:
  ///   - limit: how many elements a batch is made of at the most; must be positive. What comes to a full
  ///     one is dropped. `.max` where a batch does not grow with what is folded into it, as a sum.
  ///   - empty: what a batch begins with.
  ///   - fold: adds an element. It is called on the producer's thread under the lock of the feed, so it
  ///     should be quick and must not use the feed.
  @inlinable
  public static func coalesced(
    over window: Duration, limit: Int, clock: any Clock<Duration> = ContinuousClock(),
    into empty: Element, _ fold: @escaping @Sendable (inout Element, Input) -> Void
  ) -> Self {
    precondition(window > .zero, "window must be positive (was \(window))")
    precondition(limit > 0, "limit must be positive (was \(limit))")
    let timer = RunTimer(clock)
    return Self(
      makeBuffer: { CoalescingBuffer(over: window, limit: limit, into: empty, fold) },
      makeLine: { setting, drain in
        let buffer = CoalescingBuffer(over: window, limit: limit, into: empty, fold)
        let run = ShelfRun(setting, drain, buffer, timer: timer)
        return FeedLine(run: run) { run.send($0) }
      })
  }

  /// Delivers what another policy keeps as one batch at the end of each window of time.
  ///
  /// ```swift
  /// struct Score: Sendable { var id: Int; var points: Int }
  /// let policy: FeedPolicy<Score, [Score]> =
  ///   .batches(of: .latest(by: \.id, limit: 1_000), over: .milliseconds(50))
  /// ```
  ///
  /// A window opens with the first element that comes after the last batch was taken. When all that the
  /// policy has room for waits, the batch can be had at once. The one that is pending at the end comes at
  /// once, and an error after it.
  public static func batches<Kept: Sendable>(
    of policy: FeedPolicy<Input, Kept>, over window: Duration,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Self where Element == [Kept] {
    precondition(window > .zero, "window must be positive (was \(window))")
    return batches(of: policy.makeBuffer(), over: window, RunTimer(clock))
  }

  private static func batches<Buffer: FeedBuffer>(
    of buffer: Buffer, over window: Duration, _ timer: RunTimer
  ) -> Self where Buffer.Input == Input, Element == [Buffer.Element] {
    // The buffer is an empty value: each run begins with a copy of it.
    Self(
      makeBuffer: { BatchBuffer(buffer, over: window) },
      makeLine: { setting, drain in
        let run = ShelfRun(setting, drain, BatchBuffer(buffer, over: window), timer: timer)
        return FeedLine(run: run) { run.send($0) }
      })
  }
}
