/// A serial executor that also runs the bodies of feedbacks and knows when it is the one running.
///
/// `BackgroundExecutor` is one, the deterministic executor of the test support is another.
package protocol LaneExecutor: SerialExecutor, TaskExecutor {
  /// Whether the calling code runs on this executor right now.
  var isCurrent: Bool { get }
  /// Whether bodies prefer this executor also where their code is isolated to nothing.
  var isPreferred: Bool { get }
  /// Notes that the next job which the calling thread enqueues begins what begins in place where the
  /// system can do so, and so comes before all others. Called on the executor.
  func noteBeginning()
  /// Takes a job that lets everybody in who waits already.
  func enqueueBehind(_ job: consuming ExecutorJob)
}

extension LaneExecutor {
  /// Bodies leave the lane where their code says so.
  package var isPreferred: Bool { false }

  /// An executor that takes all jobs in the order they come has nothing to note.
  package func noteBeginning() {}

  package func enqueueBehind(_ job: consuming ExecutorJob) { enqueue(job) }
}
