import AsyncFeedbackTestSupport
import Testing

@Suite struct FailureReporterTests {
  @Test func aFailureIsAnIssueAtThePlaceOfTheStep() {
    let reporter = FailureReporter()
    #expect(reporter.runner == .swiftTesting)
    let place = SourcePlace()
    withKnownIssue {
      reporter.record("the count must be 1 (was 2)", at: place)
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["the count must be 1 (was 2)"]
        && issue.sourceLocation?.line == Int(place.line)
        && issue.sourceLocation?.column == Int(place.column)
        && issue.sourceLocation?.fileID == #fileID
    }
  }

  @Test func aFailureOfNoStepIsAtTheReporter() {
    let reporter = FailureReporter(line: 7, column: 3)
    withKnownIssue {
      reporter.record("something was left over")
    } matching: { issue in
      issue.sourceLocation?.line == 7 && issue.sourceLocation?.column == 3
    }
  }

  @Test func aReporterMadeInADetachedTaskKnowsTheRunner() async {
    let runner = await Task.detached { FailureReporter().runner }.value
    #expect(runner == .swiftTesting)
  }

  @Test func aSinkTakesTheFailures() {
    let log = Log<String>()
    let reporter = FailureReporter { message, place in log.append("\(place.line) \(message)") }
    reporter.record("first", at: SourcePlace(line: 12))
    reporter.record("second", at: SourcePlace(line: 13))
    #expect(log.entries == ["12 first", "13 second"])
  }

  @Test func aPlaceReadsAsCompilersWriteIt() {
    let place = SourcePlace(fileID: "Module/File.swift", line: 12, column: 5)
    #expect(place.description == "Module/File.swift:12:5")
  }

  @Test(arguments: [
    (["p.xctest", "--testing-library", "swift-testing"], TestRunner.swiftTesting),
    (["p.xctest", "--testing-library", "xctest"], .xcTest),
    (["p.xctest", "--testing-library", "other"], .unknown),
    (["p.xctest", "--testing-library"], .xcTest),
    (["/build/p.xctest", "Module.Case/test"], .xcTest),
    (["/usr/bin/xctest"], .xcTest),
    (["/usr/bin/counter"], .unknown),
    ([], .unknown),
  ])
  func theProcessTellsItsRunner(arguments: [String], runner: TestRunner) {
    #expect(TestRunner.hosting(arguments: arguments) == runner)
  }
}
