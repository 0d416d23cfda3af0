/// A serial executor that also runs the bodies of feedbacks and knows when it is the one running.
///
/// `BackgroundExecutor` is one, the deterministic executor of the test support is another.
package protocol LaneExecutor: SerialExecutor, TaskExecutor {
  /// Whether the calling code runs on this executor right now.
  var isCurrent: Bool { get }
  /// Whether bodies prefer this executor also where their code is isolated to nothing.
  var isPreferred: Bool { get }
}

extension LaneExecutor {
  /// Bodies leave the lane where their code says so.
  package var isPreferred: Bool { false }
}
