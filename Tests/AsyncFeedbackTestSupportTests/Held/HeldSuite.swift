import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// A suite of tests of held feedbacks.
protocol HeldSuite {
  var failures: Failures { get }
  var clock: TestClock { get }
}

extension HeldSuite {
  func context(
    _ feedbacks: Feedback<Shop>..., state: Shop.State = .init(), held: HeldFeedbacks = .all
  ) -> TestContext<Shop> {
    failures.context(state, Shop(feedbacks), held: held, clock: clock)
  }

  func expectNoFailure(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(failures.messages == [], sourceLocation: sourceLocation)
  }

  /// Expects one failure, of the step on the line above.
  func expectHead(
    _ text: String, line: UInt = #line, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(failures.heads == [text], sourceLocation: sourceLocation)
    #expect(failures.lines == [line - 1], sourceLocation: sourceLocation)
  }
}
