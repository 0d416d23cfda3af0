import AsyncFeedback
import AsyncFeedbackTestSupport
import XCTest

/// Held feedbacks in XCTest: the same chain.
final class HeldXCTests: XCTestCase {
  func testAHeldRunIsAnswered() async {
    let context = TestContext(state: .init(), system: Shop(.search()), held: .all)
    await context.run()
      .send(.asked("a"))
      .alive(.run("search", "a"))
      .answer("search", with: .logged("found"))
      .check { XCTAssertEqual($0.log, ["found"]) }
      .finish()
  }

  @MainActor func testAHeldRunIsAnsweredOnTheMainActor() async {
    let context = TestContext(state: .init(), system: Shop(.search()), held: .all)
    await context.run()
      .send(.asked("a"))
      .fail("search", with: Outage())
      .check { XCTAssertEqual($0.log, ["outage"]) }
      .finish()
  }
}
