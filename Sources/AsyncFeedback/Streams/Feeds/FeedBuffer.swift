/// What keeps the elements of a feed for its consumer.
///
/// A value behind the lock of a run.
@usableFromInline
package protocol FeedBuffer<Input, Element>: Sendable {
  associatedtype Input: Sendable
  associatedtype Element: Sendable

  /// How many elements wait.
  var depth: Int { get }
  /// Whether nothing more can be taken in without a loss.
  var isFull: Bool { get }
  /// Whether something can be had, whatever the time.
  var isReady: Bool { get }
  /// When what waits can be had; nil if nothing waits for a time.
  var deadline: Duration? { get }

  /// Takes an element in, or not.
  mutating func receive(_ input: Input, at now: () -> Duration) -> FeedIntake<Input>
  /// Takes how many were dropped before the next element.
  mutating func takeGap() -> Int
  /// Takes the next element, and says how many of those received it is.
  mutating func take(at now: Duration, isClosed: Bool) -> (element: Element, count: Int)?
}

/// What became of an element, with the one that had to go for it.
@usableFromInline
package enum FeedIntake<Input> {
  case kept
  /// So many have become part of another; one of them may have been let go of.
  case coalesced(Int, Input?)
  /// It is kept, and an older one is dropped.
  case displaced(Input)
  /// It is dropped.
  case rejected
}

/// The newest or the oldest so many.
@usableFromInline
package struct RowBuffer<Element: Sendable>: FeedBuffer {
  private var elements = ElementQueue<Element>()
  private let limit: Int
  private let dropsOldest: Bool
  private var gap = 0
  /// What was dropped behind the newest.
  private var gapAtEnd = 0

  @usableFromInline
  init(limit: Int, dropsOldest: Bool) {
    self.limit = limit
    self.dropsOldest = dropsOldest
  }

  @usableFromInline package var depth: Int { elements.count }
  @usableFromInline package var isFull: Bool { elements.count >= limit }
  @usableFromInline package var isReady: Bool { elements.count > 0 }
  @usableFromInline package var deadline: Duration? { nil }

  @usableFromInline
  package mutating func receive(_ input: Element, at now: () -> Duration) -> FeedIntake<Element> {
    guard isFull else {
      elements.append(input)
      return .kept
    }
    guard dropsOldest, let oldest = elements.popFirst() else {
      gapAtEnd += 1
      return .rejected
    }
    gap += 1
    elements.append(input)
    return .displaced(oldest)
  }

  @usableFromInline
  package mutating func takeGap() -> Int {
    defer { gap = 0 }
    return gap
  }

  @usableFromInline
  package mutating func take(at now: Duration, isClosed: Bool) -> (element: Element, count: Int)? {
    guard let element = elements.popFirst() else { return nil }
    if elements.count == 0 {
      gap += gapAtEnd
      gapAtEnd = 0
    }
    return (element, 1)
  }
}

/// All that a buffer keeps, as one batch at the end of a window.
@usableFromInline
package struct BatchBuffer<Base: FeedBuffer>: FeedBuffer {
  private var base: Base
  private let window: Duration
  private var end: Duration?

  init(_ base: Base, over window: Duration) {
    self.base = base
    self.window = window
  }

  @usableFromInline package var depth: Int { base.depth }
  @usableFromInline package var isFull: Bool { base.isFull }
  @usableFromInline package var isReady: Bool { base.isFull }
  @usableFromInline package var deadline: Duration? { end }

  @usableFromInline
  package mutating func receive(_ input: Base.Input, at now: () -> Duration) -> FeedIntake<
    Base.Input
  > {
    if end == nil { end = now() + window }
    return base.receive(input, at: now)
  }

  @usableFromInline
  package mutating func takeGap() -> Int { base.takeGap() }

  @usableFromInline
  package mutating func take(
    at now: Duration, isClosed: Bool
  ) -> (element: [Base.Element], count: Int)? {
    guard let end, isClosed || isFull || now >= end else { return nil }
    self.end = nil
    var batch: [Base.Element] = []
    var count = 0
    while let next = base.take(at: now, isClosed: true) {
      batch.append(next.element)
      count += next.count
    }
    return batch.isEmpty ? nil : (batch, count)
  }
}
