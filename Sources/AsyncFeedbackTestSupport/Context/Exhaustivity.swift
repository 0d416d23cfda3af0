/// Whether a test has to account for every event that its system's feedbacks answer with.
public enum Exhaustivity: Sendable, Hashable {
  /// From the first claim of the test on: `on` from there, and before it nothing is asked.
  case automatic
  /// Every answer must be received or skipped, or let go by a step that says so (`settle()`, `check`,
  /// `suspend(while:)`): a step that goes on while answers wait fails, and so does `finish()`.
  case on
  /// Nothing must. A claim says only what it sets, `receive` passes over other events, and what was
  /// skipped is reported without failing the test.
  case off
}
