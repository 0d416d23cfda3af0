import AsyncFeedbackTestSupport

extension DeterministicExecutor {
  /// Has the calling task, which runs here, go on behind the jobs that are ready.
  func requeue() async {
    await Task(executorPreference: self) {}.value
  }
}
