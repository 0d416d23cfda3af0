/// How many elements of a feed went which way.
///
/// At every moment `received` is the sum of `delivered`, `dropped`, `coalesced`, `abandoned` and `depth`.
public struct FeedCounts: Sendable, Hashable {
  /// How many elements the producer has sent while the feed took them.
  public var received = 0
  /// How many the consumer has got; each element of `batches` counts, a
  /// folded batch is one.
  public var delivered = 0
  /// How many were let go of because there was no room.
  public var dropped = 0
  /// How many became part of another: replaced by a newer one of their key, or folded into a batch.
  public var coalesced = 0
  /// How many still waited when the consumer went.
  public var abandoned = 0
  /// How often the producer was started again after its first start.
  public var restarts = 0
  /// How many wait now.
  public var depth = 0
  /// The most that ever waited at one time.
  public var highWaterMark = 0

  /// Counts of nothing.
  public init() {}

  /// Adds the counts of another run, which may have been going at the same time.
  mutating func add(_ other: FeedCounts) {
    received += other.received
    delivered += other.delivered
    dropped += other.dropped
    coalesced += other.coalesced
    abandoned += other.abandoned
    restarts += other.restarts
    depth += other.depth
    highWaterMark = max(highWaterMark, other.highWaterMark)
  }
}
