import AsyncFeedbackTestSupport
import XCTest

/// Takes the failures that reach XCTest, in place of failing.
final class FailureReporterXCTests: XCTestCase {
  private let failures = Log<String>()

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      let location = issue.sourceCodeContext.location
      note(issue.compactDescription, location?.fileURL.path ?? "", location?.lineNumber ?? 0)
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      note(description, filePath, lineNumber)
    }
  #endif

  private func note(_ description: String, _ filePath: String, _ line: Int) {
    failures.append("\(filePath):\(line): \(description)")
  }

  /// The failures taken so far, each as the file, the line and the end of the text.
  ///
  /// The runner may put words of its own before the text.
  private func check(_ expected: [(line: UInt, text: String)]) {
    let entries = failures.entries
    let matches =
      entries.count == expected.count
      && zip(entries, expected).allSatisfy { entry, expected in
        entry.hasPrefix("\(#filePath):\(expected.line): ") && entry.hasSuffix(expected.text)
      }
    // An assertion would be taken like any other failure here.
    precondition(matches, "the failures must be \(expected) (were \(entries))")
  }

  func testAFailureReachesXCTestAtThePlaceOfTheStep() {
    let reporter = FailureReporter()
    precondition(reporter.runner == .xcTest, "the runner must be XCTest (was \(reporter.runner))")
    check([])
    let place = SourcePlace()
    reporter.record("the count must be 1 (was 2)", at: place)
    reporter.record("something was left over")
    check([
      (place.line, "the count must be 1 (was 2)"),
      (reporter.place.line, "something was left over"),
    ])
  }

  @MainActor func testAFailureOfAnAsynchronousTestReachesXCTest() async {
    let reporter = FailureReporter()
    let place = SourcePlace()
    await Task.detached { reporter.record("from elsewhere", at: place) }.value
    check([(place.line, "from elsewhere")])
  }

  func testAStepThatFailsReachesXCTestAtItsLine() async {
    let context = TestContext(state: .init(), system: Sample(), limit: .milliseconds(1))
    await context.run().suspend(while: \.flag).send(.flag(true)).suspend(while: \.flag)
    let expected = "\(#filePath):\(#line - 1): "
    let entries = failures.entries
    precondition(
      entries.count == 1 && entries[0].hasPrefix(expected) && entries[0].contains("still held"),
      "the failure must be at \(expected) (were \(entries))")
    context.finish()
  }
}
