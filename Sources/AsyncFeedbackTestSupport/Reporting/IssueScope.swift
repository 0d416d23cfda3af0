private import Testing

/// Has the issues that a test records, such as those of `#expect`, go to the capture of the task that
/// records them.
///
/// Where Swift Testing runs no test there are none. A failed assertion of XCTest cannot be taken back.
nonisolated(nonsending) func capturingIssues(
  _ body: nonisolated(nonsending) () async -> Void
) async {
  guard let test = Test.current else { return await body() }
  let trait = IssueHandlingTrait.compactMapIssues { issue in
    guard issue.isFailure, let capture = FailureCapture.current else { return issue }
    capture.add(FailureCapture.Failure(issue))
    return nil
  }
  // The scope asks for a function that can be sent, and calls it once, while this waits.
  nonisolated(unsafe) let body = body
  let isolation = #isolation
  do {
    try await trait.provideScope(for: test, testCase: Test.Case.current) {
      await call(body, isolation: isolation)
    }
  } catch {
    preconditionFailure("a scope of issues must throw only what its body throws (threw \(error))")
  }
}

private func call(
  _ body: nonisolated(nonsending) () async -> Void, isolation: isolated (any Actor)?
) async {
  await body()
}

extension FailureCapture.Failure {
  fileprivate init(_ issue: Issue) {
    let location = issue.sourceLocation
    let message =
      if case .unconditional = issue.kind { issue.comments.first?.rawValue } else { String?.none }
    self.init(
      text: message ?? issue.description,
      place: location.map { "\($0.fileID):\($0.line):\($0.column)" } ?? "an unknown place")
  }

  /// Whether an error was thrown by `#require`, which has recorded an issue before.
  static func isRecorded(_ error: any Error) -> Bool {
    error is ExpectationFailedError
  }
}
