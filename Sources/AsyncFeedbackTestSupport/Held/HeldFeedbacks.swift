/// Which feedbacks of a test context are held: the test does the work of their runs.
///
/// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
/// ```swift
/// let context = TestContext(state: .init(), system: Counter(), held: .all)
/// await context.run().alive()
/// context.finish()
/// ```
///
/// The body of a run that is held is not executed. The test sees the run with `alive` and answers for
/// it, with `answer`, `end` or `fail`. Everything around the body is real: trigger, policy, lease,
/// cancellation, pace, retries, time limit, and the `catch` route. So what has a clock there still needs
/// the test's.
///
/// Only what starts runs can be held. A synchronous body answers in the turn of its trigger, and goes on
/// to do so.
public struct HeldFeedbacks: Sendable, Equatable {
  private enum Choice: Equatable {
    case named
    case except
  }

  private let choice: Choice
  /// The names that were given.
  let names: [String]

  private init(_ choice: Choice, _ names: [String]) {
    self.choice = choice
    self.names = names
  }

  /// No feedback: all bodies run.
  public static let none = HeldFeedbacks(.named, [])

  /// Every feedback that starts runs.
  public static let all = HeldFeedbacks(.except, [])

  /// The feedbacks of these names, whether given or derived from where they are declared.
  ///
  /// A name that no feedback has, or only feedbacks that answer in their turn, is a failure at the line
  /// that makes the context.
  public static func named(_ names: String...) -> Self {
    HeldFeedbacks(.named, names)
  }

  /// Every feedback that starts runs but those of these names.
  ///
  /// A name that no feedback has is a failure at the line that makes the context.
  public static func except(_ names: String...) -> Self {
    HeldFeedbacks(.except, names)
  }

  /// Whether the runs of a feedback of this name are held.
  func holds(_ name: String) -> Bool {
    names.contains(name) == (choice == .named)
  }

  /// Whether each name is to be that of a feedback that can be held.
  var claimsRuns: Bool { choice == .named }
}
