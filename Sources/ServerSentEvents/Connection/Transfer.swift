internal import AsyncFeedback
internal import Foundation

#if canImport(FoundationNetworking)
  internal import Dispatch
  internal import FoundationNetworking
#endif

/// What URLSession does for one connection: a session with one task, and the watch over it.
final class Transfer: Sendable {
  private struct Parts {
    var session: URLSession
    var task: URLSessionTask
    var watchdog: Watchdog
  }

  private let parts = Lock<Parts?>(nil)

  /// Sends the request; what comes goes to the intake until ``stop()``, which has to be called once.
  func start(
    _ request: URLRequest, options: EventSourceOptions, intake: Intake, timer: RunTimer
  ) {
    let watchdog = Watchdog(intake: intake, timer: timer, url: request.url)
    let delegate = ConnectionDelegate(request: request, intake: intake) {
      watchdog.watch(silence: options.silenceLimit)
    }
    #if canImport(FoundationNetworking)
      let queue: OperationQueue = InPlaceQueue()
    #else
      let queue = OperationQueue()
    #endif
    queue.maxConcurrentOperationCount = 1
    let session = URLSession(
      configuration: options.makeConfiguration(), delegate: delegate, delegateQueue: queue)
    let task = session.dataTask(with: request)
    parts.withLock { $0 = Parts(session: session, task: task, watchdog: watchdog) }
    watchdog.watch(connecting: options.connectLimit)
    task.resume()
  }

  /// Pauses the task, or lets it go on.
  ///
  /// FoundationNetworking cannot: there, suspending a task gives its connection up, and resuming it sends
  /// the request again.
  func pause(_ isPaused: Bool) {
    #if !canImport(FoundationNetworking)
      let task = parts.withLock { $0?.task }
      if isPaused { task?.suspend() } else { task?.resume() }
    #endif
  }

  /// Closes the connection and lets the session go, which would keep itself alive otherwise.
  func stop() {
    let parts = parts.withLock { $0.take() }
    guard let parts else { return }
    parts.watchdog.stop()
    #if canImport(FoundationNetworking)
      // Waits there for the thread of all sessions, which may be the one that calls.
      DispatchQueue.global(qos: .utility).async { parts.session.invalidateAndCancel() }
    #else
      parts.session.invalidateAndCancel()
    #endif
  }
}
