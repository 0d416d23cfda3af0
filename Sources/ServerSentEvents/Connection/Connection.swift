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

  /// Reads what comes into an intake.
  init(_ intake: Intake) {
    self.intake = intake
  }

  /// - Parameter timer: what the limits of the options are measured with.
  convenience init(_ request: URLRequest, options: EventSourceOptions, timer: RunTimer) {
    let transfer = Transfer()
    let intake = Intake(limit: options.bufferLimit, now: timer.elapsed) { isPaused in
      transfer.pause(isPaused)
    } stop: {
      transfer.stop()
    }
    self.init(intake)
    transfer.start(request, options: options, intake: intake, timer: timer)
  }

  /// Waits for what comes next; a cancelled task closes the connection at once.
  func next(isolation: isolated (any Actor)? = #isolation) async -> Intake.Item {
    await withTaskCancellationHandler {
      // The closure is isolated only by what it captures; without this it leaves the consumer's lane.
      _ = isolation
      return await intake.next()
    } onCancel: {
      close()
    }
  }

  /// Ends the connection; what has come and is not read is dropped.
  func close() {
    intake.close()
  }
}
