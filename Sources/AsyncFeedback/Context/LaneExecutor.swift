/// A serial executor that also runs the bodies of feedbacks and knows when it is the one running.
///
/// `BackgroundExecutor` is one, the deterministic executor of the test support is another. A context
/// on such an executor starts its runs there without a hop through any other thread.
package protocol LaneExecutor: SerialExecutor, TaskExecutor {
  /// Whether the calling code runs on this executor right now.
  var isCurrent: Bool { get }
}
