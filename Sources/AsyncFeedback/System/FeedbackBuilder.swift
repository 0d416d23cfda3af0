/// Builds the list of a system's feedbacks from statements, or takes an array as it is.
@resultBuilder
public enum FeedbackBuilder<System: SystemProtocol> {
  /// Takes one feedback.
  public static func buildExpression(_ feedback: Feedback<System>) -> [Feedback<System>] {
    [feedback]
  }

  /// Takes an array, so that a body may be one array literal.
  public static func buildExpression(_ feedbacks: [Feedback<System>]) -> [Feedback<System>] {
    feedbacks
  }

  /// Joins the statements in their order.
  public static func buildBlock(_ parts: [Feedback<System>]...) -> [Feedback<System>] {
    parts.flatMap { $0 }
  }

  /// Takes the feedbacks of an `if` without `else`.
  public static func buildOptional(_ part: [Feedback<System>]?) -> [Feedback<System>] {
    part ?? []
  }

  /// Takes the first branch of an `if` or `switch`.
  public static func buildEither(first part: [Feedback<System>]) -> [Feedback<System>] {
    part
  }

  /// Takes the second branch of an `if` or `switch`.
  public static func buildEither(second part: [Feedback<System>]) -> [Feedback<System>] {
    part
  }

  /// Takes the feedbacks of each turn of a `for` loop.
  public static func buildArray(_ parts: [[Feedback<System>]]) -> [Feedback<System>] {
    parts.flatMap { $0 }
  }

  /// Takes the feedbacks of an availability check.
  public static func buildLimitedAvailability(_ part: [Feedback<System>]) -> [Feedback<System>] {
    part
  }
}
