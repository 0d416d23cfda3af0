/// One thing that happened to a feed.
///
/// The reports of one side, producer or consumer, come in their order. What both do in the same moment may
/// be told in either order: that a gap has ended even before that it began.
public struct FeedReport: Sendable, Hashable, CustomStringConvertible {
  /// What happened.
  public enum Kind: Sendable, Hashable {
    /// The producer was started for the first time.
    case started
    /// The producer was started again, the so many-eth time.
    case restarted(Int)
    /// A consumer has gone, or has come to the end. With it the counts of its run.
    case stopped(FeedCounts)
    /// The first element was dropped since the consumer last passed a gap.
    case gapBegan
    /// The consumer has passed a gap of so many elements.
    case gapEnded(Int)
    /// For the first time in its run so many elements wait; told of powers of two from 16 on.
    case highWaterMark(Int)
    /// So many consumers are at work for one name and key, each with a producer of its own.
    ///
    /// They are those of one feed and its copies, those of feeds with one board and, where the feeds have a
    /// key, those of one context that has a monitor.
    case consumersAtOnce(Int)
  }

  /// The name of the feed.
  public let name: String
  /// Its key, as it is described.
  public let key: String?
  /// What happened.
  public let kind: Kind

  /// Makes a report, for a test of a monitor.
  public init(name: String, key: String? = nil, kind: Kind) {
    self.name = name
    self.key = key
    self.kind = kind
  }

  /// The feed, and what happened to it.
  public var description: String {
    let feed = key.map { "\(name)[\($0)]" } ?? name
    let text =
      switch kind {
      case .started: "started"
      case .restarted(let count): "restarted (\(count))"
      case .stopped(let counts):
        """
        stopped: \(counts.received) received, \(counts.delivered) delivered, \(counts.dropped) dropped, \
        \(counts.coalesced) coalesced, \(counts.abandoned) abandoned, at most \
        \(counts.highWaterMark) waiting
        """
      case .gapBegan: "begins to drop elements"
      case .gapEnded(let count): "has dropped \(count)"
      case .highWaterMark(let depth): "\(depth) waiting"
      case .consumersAtOnce(let count):
        "\(count) consumers at once, each with a producer of its own; share one feed if that is not meant"
      }
    return "feed \(feed) \(text)"
  }

  /// Whether a depth is one to report.
  @usableFromInline
  static func isMark(_ depth: Int) -> Bool {
    depth >= 16 && depth & (depth - 1) == 0
  }
}
