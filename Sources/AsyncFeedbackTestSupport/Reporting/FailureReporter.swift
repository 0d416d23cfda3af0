private import Testing
private import XCTest

/// Records the failures of a test with whatever runs the test.
///
/// It is created where the test is the caller, and used later, from the steps of the test.
package struct FailureReporter: Sendable {
  /// What takes a failure: its text and its place.
  package typealias Sink = @Sendable (_ message: String, _ place: SourcePlace) -> Void

  /// Where the reporter was created: the place of failures that belong to no step.
  package let place: SourcePlace

  /// What was running the test then.
  package let runner: TestRunner

  private let sink: Sink
  private let remark: Sink

  /// Creates a reporter for the test that is the caller.
  ///
  /// - Parameters:
  ///   - sink: takes the failures in place of the runner.
  ///   - remark: takes what fails nothing in place of the runner.
  package init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, sink: Sink? = nil,
    remark: Sink? = nil
  ) {
    place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let runner = TestRunner.current
    self.runner = runner
    // A context may outlive the task-local values of the body that made it, but not the other way round.
    let capture = FailureCapture.current
    self.sink =
      sink ?? { message, place in
        guard let capture = FailureCapture.current ?? capture else {
          return Self.record(message, at: place, with: runner)
        }
        // The scope around the exploration takes an issue, unless the test knows of it.
        if FailureCapture.current != nil, runner == .swiftTesting {
          return Self.recordIssue(message, at: place)
        }
        capture.add(FailureCapture.Failure(text: message, place: place.description))
      }
    self.remark =
      remark ?? { message, place in
        guard (FailureCapture.current ?? capture) == nil else { return }
        Self.note(message, at: place, with: runner)
      }
  }

  private init(_ reporter: FailureReporter, note: String) {
    place = reporter.place
    runner = reporter.runner
    sink = { [sink = reporter.sink] message, place in sink("\(message)\n\(note)", place) }
    remark = reporter.remark
  }

  /// The same reporter, whose failures end with a note.
  func adding(_ note: String?) -> FailureReporter {
    note.map { FailureReporter(self, note: $0) } ?? self
  }

  /// Records a failure at the place, or where the reporter was created.
  package func record(_ message: String, at place: SourcePlace? = nil) {
    sink(message, place ?? self.place)
  }

  /// Says something at the place that fails nothing.
  package func note(_ message: String, at place: SourcePlace) {
    remark(message, place)
  }
}

extension FailureReporter {
  private static func note(_ message: String, at place: SourcePlace, with runner: TestRunner) {
    #if compiler(>=6.3)
      if runner == .swiftTesting {
        Issue.record(
          Comment(rawValue: message), severity: .warning, sourceLocation: location(of: place))
        return
      }
    #endif
    print("\(place): note: \(message)")
  }

  private static func record(_ message: String, at place: SourcePlace, with runner: TestRunner) {
    switch runner {
    case .swiftTesting:
      recordIssue(message, at: place)
    case .xcTest:
      XCTFail(message, file: place.filePath, line: place.line)
    case .unknown:
      // Each of the two ignores a failure when it runs no test. Nobody may be listening at all, so
      // the failure is printed too.
      XCTFail(message, file: place.filePath, line: place.line)
      recordIssue(message, at: place)
      print("\(place): failure: \(message)")
    }
  }

  private static func recordIssue(_ message: String, at place: SourcePlace) {
    Issue.record(
      Comment(rawValue: message), sourceLocation: location(of: place))
  }

  private static func location(of place: SourcePlace) -> SourceLocation {
    SourceLocation(
      fileID: String(describing: place.fileID), filePath: String(describing: place.filePath),
      line: Int(place.line), column: Int(place.column))
  }
}
