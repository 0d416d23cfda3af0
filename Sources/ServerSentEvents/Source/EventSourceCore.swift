internal import AsyncFeedback
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What a source and its iterations share.
final class EventSourceCore: Sendable {
  let options: EventSourceOptions
  let clock: any Clock<Duration>
  let makeRequest: nonisolated(nonsending) @Sendable () async throws -> URLRequest
  private let state: Lock<EventSourceStatus>
  private let latest: LatestValue<EventSourceStatus>

  init(
    lastEventID: String, options: EventSourceOptions, clock: any Clock<Duration>,
    makeRequest: nonisolated(nonsending) @escaping @Sendable () async throws -> URLRequest
  ) {
    self.options = options
    self.clock = clock
    self.makeRequest = makeRequest
    var status = EventSourceStatus()
    status.lastEventID = lastEventID
    state = Lock(status)
    latest = LatestValue(status)
  }

  deinit {
    latest.finish()
  }

  var status: EventSourceStatus { state.withLock { $0 } }

  var statuses: LatestValues<EventSourceStatus> { LatestValues(latest) }

  /// Changes what is counted.
  func count(_ change: (inout EventSourceStatus) -> Void) {
    state.withLock { change(&$0) }
  }

  /// Notes a new state, and tells it.
  func enter(
    _ next: EventSourceStatus.State, _ change: (inout EventSourceStatus) -> Void = { _ in }
  ) {
    // Told under the lock, so that two iterations are told of in the order they came.
    state.withLock { status in
      status.state = next
      change(&status)
      latest.put(status)
    }
  }

  /// The request with what makes it one for an event stream that goes on behind an event.
  func complete(_ request: URLRequest, after lastEventID: String) -> URLRequest {
    var request = request
    if request.value(forHTTPHeaderField: "Accept") == nil {
      request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    }
    request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
    if !lastEventID.isEmpty {
      request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID")
    }
    request.cachePolicy = .reloadIgnoringLocalCacheData
    request.timeoutInterval = EventSourceOptions.endless
    return request
  }
}
