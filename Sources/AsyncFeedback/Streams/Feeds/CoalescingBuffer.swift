/// One batch that elements are folded into, to be had at the end of a window.
@usableFromInline
package struct CoalescingBuffer<Input: Sendable, Batch: Sendable>: FeedBuffer {
  @usableFromInline typealias Fold = @Sendable (inout Batch, Input) -> Void

  @usableFromInline let empty: Batch
  @usableFromInline let fold: Fold
  @usableFromInline let window: Duration
  @usableFromInline let limit: Int
  @usableFromInline var batch: Batch
  /// How many elements the batch is made of.
  @usableFromInline var count = 0
  @usableFromInline var end: Duration?
  @usableFromInline var gap = 0
  @usableFromInline var gapAtEnd = 0

  @inlinable
  init(over window: Duration, limit: Int, into empty: Batch, _ fold: @escaping Fold) {
    self.window = window
    self.limit = limit
    self.empty = empty
    self.fold = fold
    batch = empty
  }

  @inlinable package var depth: Int { count > 0 ? 1 : 0 }
  @inlinable package var isFull: Bool { count >= limit }
  @inlinable package var isReady: Bool { isFull }
  @inlinable package var deadline: Duration? { end }

  @inlinable
  package mutating func receive(_ input: Input, at now: () -> Duration) -> FeedIntake<Input> {
    guard !isFull else {
      gapAtEnd &+= 1
      return .rejected
    }
    fold(&batch, input)
    count &+= 1
    guard count == 1 else { return .coalesced(1, nil) }
    end = now() + window
    return .kept
  }

  @inlinable
  package mutating func takeGap() -> Int {
    defer { gap = 0 }
    return gap
  }

  @inlinable
  package mutating func take(at now: Duration, isClosed: Bool) -> (element: Batch, count: Int)? {
    guard let end, isClosed || isFull || now >= end else { return nil }
    let full = batch
    batch = empty
    count = 0
    self.end = nil
    gap &+= gapAtEnd
    gapAtEnd = 0
    return (full, 1)
  }
}

/// What a pace lets through.
package struct PacedBuffer<Element: Sendable>: FeedBuffer {
  private var pacer: Pacer<Element>
  /// What has gone through and not been taken yet.
  private var passed: Element?

  init(_ pace: Pace) {
    pacer = Pacer(pace.kind, duration: pace.duration)
  }

  package var depth: Int { (passed == nil ? 0 : 1) + (pacer.pending == nil ? 0 : 1) }
  package var isFull: Bool { false }
  package var isReady: Bool { passed != nil }
  package var deadline: Duration? { pacer.pending == nil ? nil : pacer.deadline }

  package mutating func receive(_ input: Element, at now: () -> Duration) -> FeedIntake<Element> {
    let now = now()
    let before = depth
    // A consumer that is busy has nobody to look at the time.
    if let deadline, deadline < now, let due = pacer.fire(at: now) { passed = due }
    if let through = pacer.receive(input, at: now) { passed = through }
    let replaced = before + 1 - depth
    return replaced == 0 ? .kept : .coalesced(replaced, nil)
  }

  package mutating func takeGap() -> Int { 0 }

  package mutating func take(at now: Duration, isClosed: Bool) -> (element: Element, count: Int)? {
    if let element = passed.take() { return (element, 1) }
    let due = isClosed ? pacer.finish() : pacer.fire(at: now)
    return due.map { ($0, 1) }
  }
}
