/// Why waiting for a ``TestClock``, or for something to sleep on it, came to nothing.
public enum TestClockError: Error, Sendable, CustomStringConvertible {
  /// The clock was released while something slept on it until the instant, so nobody can wake it.
  case released(until: TestClock.Instant)

  /// Within the real-time limit nothing fell asleep under the id. What slept then is listed.
  case notAsleep(id: String, asleep: [String])

  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .released(let deadline):
      """
      The test clock was released while something slept on it until \(deadline), so no advance can \
      wake it any more. Keep the clock until the end of the test, in a property or a variable that \
      the test still uses.
      """
    case .notAsleep(let id, let asleep):
      """
      Nothing fell asleep under the id "\(id)". Asleep on this clock: \
      \(asleep.isEmpty ? "nothing" : asleep.joined(separator: ", ")). Check that the work under \
      test was started, sleeps on this clock, and is not held up by a sleep that has to be \
      advanced first.
      """
    }
  }
}
