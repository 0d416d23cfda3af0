internal import AsyncFeedback

/// Takes the failures of one run of a test body, in place of the runner.
package final class FailureCapture: Sendable {
  /// The capture of the body that the calling task belongs to.
  @TaskLocal package static var current: FailureCapture?

  /// One failure.
  package struct Failure: Sendable, Equatable {
    package let text: String
    /// Where it is, as `Module/File.swift:12:5`.
    package let place: String
  }

  private struct State: Sendable {
    var failures: [Failure] = []
    var transcripts: [Transcript] = []
  }

  private let state = Lock(State())

  package init() {}

  package var failures: [Failure] { state.withLock(\.failures) }

  /// What has happened in the contexts of the body, one text for each.
  package var transcripts: [Transcript] { state.withLock(\.transcripts) }

  package func add(_ failure: Failure) {
    state.withLock { $0.failures.append(failure) }
  }

  func add(_ transcript: Transcript) {
    state.withLock { $0.transcripts.append(transcript) }
  }
}
