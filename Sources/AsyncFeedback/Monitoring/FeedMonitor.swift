internal import Synchronization

/// Sees what happens to feeds, and how long parts of the work on their elements take.
///
/// Feeds that run in a context report to the context's monitor (`MonitorRecord.feed`), in order with
/// everything else; a feed can have a monitor of this kind beside it. It is called on the thread on which
/// the thing happens, so it should be quick, and from several threads at once.
///
/// ```swift
/// let monitor = PrintMonitor()
/// let number = monitor.interval("parse") { Int("42") }
/// ```
public protocol FeedMonitor: Sendable {
  /// Takes one report.
  func receive(_ report: FeedReport)
  /// Notes that an interval begins.
  func begin(_ interval: FeedInterval)
  /// Notes that an interval ends.
  func end(_ interval: FeedInterval)
}

extension FeedMonitor {
  /// Does nothing.
  public func begin(_ interval: FeedInterval) {}

  /// Does nothing.
  public func end(_ interval: FeedInterval) {}

  /// Opens an interval around work that does not suspend.
  ///
  /// Around a suspension use ``beginInterval(_:)`` and ``end(_:)``.
  public func interval<Value, Failure: Error>(
    _ name: StaticString, _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let interval = beginInterval(name)
    defer { end(interval) }
    return try work()
  }

  /// Opens an interval, to be ended by ``end(_:)``, on whichever thread.
  public func beginInterval(_ name: StaticString) -> FeedInterval {
    let interval = FeedInterval(name)
    begin(interval)
    return interval
  }
}

/// A stretch of work on the elements of a feed: to parse, to find differences, to render.
public struct FeedInterval: Sendable {
  private static let last = Atomic<UInt64>(0)

  /// What the work is called.
  public let name: StaticString
  /// A number that no other interval of the process has; not zero.
  public let number: UInt64

  /// Makes an interval with a number of its own.
  public init(_ name: StaticString) {
    self.name = name
    number = Self.last.add(1, ordering: .relaxed).newValue
  }
}
