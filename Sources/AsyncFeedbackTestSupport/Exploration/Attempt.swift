/// One run of a test body under a schedule.
struct Attempt: Sendable {
  let choices: [Schedule.Choice]
  let failures: [FailureCapture.Failure]
  let transcripts: [Transcript]

  var failure: FailureCapture.Failure? { failures.first }

  /// The order in which what was ready went.
  var order: ScheduleOrder { ScheduleOrder(choices) }

  /// Whether another run took the same course and failed in the same place.
  func isRepeated(by other: Attempt) -> Bool {
    choices == other.choices && failure?.place == other.failure?.place
  }
}

extension Attempt {
  /// Runs the body.
  ///
  /// - Parameter place: that of an error which the body throws.
  static nonisolated(nonsending) func run(
    under schedule: Schedule, at place: SourcePlace,
    _ body: nonisolated(nonsending) () async throws -> Void
  ) async -> Attempt {
    let capture = FailureCapture()
    await Schedule.$exploring.withValue(schedule) {
      await FailureCapture.$current.withValue(capture) {
        do {
          try await body()
        } catch  where FailureCapture.Failure.isRecorded(error) && !capture.failures.isEmpty {
          // What `#require` throws says nothing that it has not recorded.
        } catch {
          capture.add(
            FailureCapture.Failure(
              text: "the body threw an error: \(error)", place: place.description))
        }
      }
    }
    return Attempt(
      choices: schedule.choices, failures: capture.failures, transcripts: capture.transcripts)
  }
}
