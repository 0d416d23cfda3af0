internal import AsyncFeedback
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One request and the stream that answers it.
///
/// It starts when it is made, and has to be closed: a session that is not invalidated keeps itself alive.
final class Connection: Sendable {
  private let intake: Intake

  /// - Parameter timer: what the limits of the options are measured with.
  init(_ request: URLRequest, options: EventSourceOptions, timer: RunTimer) {
    let transfer = Transfer()
    let intake = Intake(limit: options.bufferLimit, now: timer.elapsed) { isPaused in
      transfer.pause(isPaused)
    } stop: {
      transfer.stop()
    }
    self.intake = intake
    transfer.start(request, options: options, intake: intake, timer: timer)
  }

  /// Waits for what comes next; a cancelled task closes the connection at once.
  nonisolated(nonsending) func next() async -> Intake.Item {
    await withTaskCancellationHandler {
      await intake.next()
    } onCancel: {
      close()
    }
  }

  /// Ends the connection; what has come and is not read is dropped.
  func close() {
    intake.close()
  }
}
