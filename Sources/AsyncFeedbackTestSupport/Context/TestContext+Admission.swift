internal import AsyncFeedback

// Whether a step may be taken. Where it may not, that is its failure, and it does nothing.
extension TestContext {
  /// Tells whether a step may be taken.
  ///
  /// - Parameter step: what the failure calls the step.
  func admits(_ step: String, at place: SourcePlace) -> Bool {
    guard takesPart(at: place) else { return false }
    guard let finishedAt else { return true }
    record(
      """
      \(step) came after `finish()`, which stopped the loop at line \(finishedAt.line).
      Take the step before, or start the loop anew with `run()`. The state can be read at any time.
      """, at: place)
    return false
  }

  /// Tells whether the context belongs to the exploration that is going on, if there is one.
  ///
  /// The failure is recorded once under each schedule, so that a schedule that is repeated fails again.
  func takesPart(at place: SourcePlace) -> Bool {
    guard let exploring = Schedule.exploring, exploring !== executor.schedule else { return true }
    if foreignSchedule !== exploring {
      foreignSchedule = exploring
      reporter.record(
        """
        the context of this step was made outside of the body that is explored, so no schedule reaches it.
        Make it in the body, and all else that the test uses: each schedule begins anew.
        """, at: place)
    }
    return false
  }
}
