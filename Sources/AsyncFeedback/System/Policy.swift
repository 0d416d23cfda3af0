/// What a new trigger does to a run of the same feedback that is still going.
///
/// For `Feedback.each` the policy holds for each element on its own.
public struct Policy: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case latest
    case latestAfterCleanup
    case overlapping(limit: Int, waiting: Int)
    case dropping
  }

  /// How `latest` treats the run that it replaces.
  public struct Replacement: Sendable, Hashable {
    package let waits: Bool

    /// Starts the new run at once, beside the end of the cancelled one.
    public static let atOnce = Replacement(waits: false)
    /// Starts the new run when the cancelled one has ended, for resources that only one may hold.
    public static let afterCleanup = Replacement(waits: true)
  }

  package let kind: Kind

  /// Cancels the running one and takes its lease: nothing it sent or sends is reduced any more.
  public static let latest = Policy(kind: .latest)

  /// Cancels the running one, and starts the new one as told.
  ///
  /// With `.afterCleanup` only the newest trigger waits; an older one that waits is replaced.
  public static func latest(_ replacement: Replacement) -> Policy {
    Policy(kind: replacement.waits ? .latestAfterCleanup : .latest)
  }

  /// Runs beside those that are going, without a limit.
  public static let overlapping = Policy(kind: .overlapping(limit: .max, waiting: 0))

  /// Runs beside those that are going, at most `limit` at a time; further triggers wait in order.
  ///
  /// - Parameter waiting: how many triggers may wait. A trigger beyond that is dropped, and the
  ///   monitor is told.
  public static func overlapping(limit: Int, waiting: Int = 1_000) -> Policy {
    precondition(limit > 0, "limit must be positive (was \(limit))")
    precondition(waiting >= 0, "waiting must not be negative (was \(waiting))")
    return Policy(kind: .overlapping(limit: limit, waiting: waiting))
  }

  /// Runs one after the other in the order of the triggers; at most 1,000 wait.
  public static let queued = overlapping(limit: 1)

  /// Runs one after the other in the order of the triggers.
  ///
  /// - Parameter waiting: how many triggers may wait. A trigger beyond that is dropped, and the
  ///   monitor is told.
  public static func queued(waiting: Int) -> Policy {
    overlapping(limit: 1, waiting: waiting)
  }

  /// Ignores the new trigger while a run is going.
  public static let dropping = Policy(kind: .dropping)
}
