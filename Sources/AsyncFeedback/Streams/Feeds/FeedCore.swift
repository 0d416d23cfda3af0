/// What a run of a feed knows about its two ends.
///
/// It stands behind the lock of the run.
@usableFromInline
package struct FeedCore: Sendable {
  /// Whether the producer may still send.
  @usableFromInline var isOpen = true
  /// Whether the consumer gets nothing any more.
  var isStopped = false
  /// What the producer ended with.
  var failure: (any Error)?
  /// The consumer, while it waits.
  @usableFromInline var waiter: UnsafeContinuation<Void, Never>?
  /// Whether the consumer that waits is woken at the deadline of what waits.
  @usableFromInline var hasAlarm = false
  /// Tells the producer to stop; gone once it was told.
  private var stop: (@Sendable () -> Void)?

  /// Whether drops go on that the consumer has not passed yet.
  @usableFromInline var isInGap = false

  @usableFromInline
  init() {}

  /// Takes what stops the producer; returns it if that has to be done at once.
  mutating func install(_ stop: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    guard isOpen else { return stop }
    self.stop = stop
    return nil
  }

  /// Ends what the producer may send, and returns whom to tell once the lock is free.
  mutating func close() -> FeedClosing {
    isOpen = false
    return FeedClosing(stop: stop.take(), waiter: waiter.take())
  }

  /// Takes the consumer to wake.
  @inlinable
  mutating func takeWaiter() -> UnsafeContinuation<Void, Never>? {
    waiter.take()
  }
}

/// Whom the end of a run concerns.
@usableFromInline
package struct FeedClosing: Sendable {
  let stop: (@Sendable () -> Void)?
  let waiter: UnsafeContinuation<Void, Never>?

  /// Tells them, the producer first: a consumer that is woken by the end sees a producer that knows of it.
  func perform() {
    stop?()
    waiter?.resume()
  }
}

/// What became of an element that was sent.
@usableFromInline
package struct FeedSent: Sendable {
  @usableFromInline var isTaken: Bool
  @usableFromInline var beginsGap = false
  /// The depth, if a report of it is due.
  @usableFromInline var mark = 0
  @usableFromInline var waiter: UnsafeContinuation<Void, Never>?

  @inlinable
  init(isTaken: Bool) {
    self.isTaken = isTaken
  }
}

/// What a consumer finds when it looks.
@usableFromInline
package enum FeedLook<Element> {
  case element(Element)
  case gap(Int)
  case ended((any Error)?)
  /// Nothing; something that waits can be had at the deadline.
  case nothing(until: Duration?)
}

extension FeedCore {
  /// Keeps the consumer until there is something for it.
  mutating func keep(_ waiter: UnsafeContinuation<Void, Never>, hasAlarm: Bool) {
    precondition(
      self.waiter == nil, "an iterator of a feed must have one task waiting (had another)")
    self.waiter = waiter
    self.hasAlarm = hasAlarm
  }
}
