import AsyncFeedback
import AsyncFeedbackTestSupport
import XCTest

final class ExplorationXCTests: XCTestCase {
  func testTheFailuresOfAContextAreTakenInXCTestToo() async {
    let failures = Failures()
    let exploration = await exploreSchedules(100, reporter: failures.reporter(line: 9)) {
      let context = TestContext(
        state: .init(),
        system: Sample(
          Feedback(.once, name: "wait") { _ async in
            for await _ in AsyncStream<Int>.makeStream().stream {}
            return nil
          }))
      XCTAssertEqual(FailureReporter().runner, .xcTest)
      await context.run().settle()
      context.finish()
    }
    XCTAssert(exploration.hasFailed)
    XCTAssertEqual(failures.lines, [9])
    XCTAssertEqual(
      failures.messages.first?.contains("the test finished while a run was going:"), true)
  }
}
