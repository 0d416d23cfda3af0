public import AsyncFeedback
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The events of a server, live: connects, reads, and connects again where the last event was.
///
/// ```swift
/// import Foundation
/// import ServerSentEvents
///
/// func follow(_ url: URL) async throws {
///   for try await event in EventSource(url) {
///     print(event.type, event.data)
///   }
/// }
/// ```
///
/// Each iteration has a connection of its own, which is made when the first event is asked for and whose
/// work is done while events are asked for: between two calls of `next()` bytes are only received, up to
/// ``EventSourceOptions/bufferLimit``. When a connection ends,
/// ``EventSourceOptions/decide`` says what comes next; by default the source waits for the time that the
/// server has asked for and a growing backoff, and connects again with the id of the last event
/// (`Last-Event-ID`). An event of which only a part has come is dropped, and a server that knows the id
/// repeats it.
///
/// The iteration ends when the server answers with status 204, when the task is cancelled, and when the
/// iterator goes (as it does on `break`): the connection is given up at once, exactly once, and no event
/// is delivered afterwards. A cancelled task that is busy with something else gives it up when it asks for
/// the next event, or lets the iterator go. The server learns of it from the network: on Apple platforms
/// right away, on Linux some time later, since FoundationNetworking closes its sockets in its own time. The
/// iteration throws ``EventSourceError``, and is over then.
///
/// The source remembers the last event it has delivered: an iteration whose first connection is made later
/// goes on there. For a new beginning make a new source. What it does can be followed in ``statuses``.
public final class EventSource: AsyncSequence, Sendable {
  /// What an iteration delivers.
  public typealias Element = ServerSentEvent
  /// What an iteration throws.
  public typealias Failure = EventSourceError

  private let core: EventSourceCore

  /// Creates a source that makes a new request for each connection, with a token that is fresh, say.
  ///
  /// It adds the headers of an event stream to the request: `Accept`, `Cache-Control` and `Last-Event-ID`.
  /// A body of the request must not be a stream, which could not be sent a second time.
  ///
  /// - Parameters:
  ///   - lastEventID: behind which event to begin; empty to begin where the server does. As in any id of
  ///     an event, there must be no line break in it and no NUL.
  ///   - clock: what waits and limits are measured with.
  ///   - request: called in the isolation of the consumer. What it throws is
  ///     ``EventSourceError/notStarted(_:)``.
  public init(
    lastEventID: String = "", options: EventSourceOptions = EventSourceOptions(),
    clock: any Clock<Duration> = ContinuousClock(),
    request: nonisolated(nonsending) @escaping @Sendable () async throws -> URLRequest
  ) {
    options.check()
    precondition(
      !lastEventID.utf8.contains { [0x00, 0x0A, 0x0D].contains($0) },
      "lastEventID must hold neither a line break nor a NUL (was \(lastEventID.debugDescription))")
    core = EventSourceCore(
      lastEventID: lastEventID, options: options, clock: clock, makeRequest: request)
  }

  /// Creates a source that sends a request, with its method, headers and body, for each connection.
  public convenience init(
    _ request: URLRequest, lastEventID: String = "",
    options: EventSourceOptions = EventSourceOptions(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(lastEventID: lastEventID, options: options, clock: clock) { request }
  }

  /// Creates a source of the events at an address.
  public convenience init(
    _ url: URL, lastEventID: String = "", options: EventSourceOptions = EventSourceOptions(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(URLRequest(url: url), lastEventID: lastEventID, options: options, clock: clock)
  }

  /// What the source is doing, and what it has done so far.
  public var status: EventSourceStatus { core.status }

  /// The status now, and then whenever its state changes, each reader at its own pace.
  ///
  /// A status that is replaced while the reader is busy is left out. Counters that change while the state
  /// stays are no news; read ``status`` for them. The values end when the source and its iterations are
  /// gone.
  public var statuses: LatestValues<EventSourceStatus> { core.statuses }

  /// Starts an iteration; it connects when it is asked for its first event.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(EventSourceIteration(core))
  }

  /// One iteration, with a connection of its own; copies of an iterator share it.
  ///
  /// It is for one task at a time: while one waits for an event, no other must ask for one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let iteration: EventSourceIteration

    fileprivate init(_ iteration: EventSourceIteration) {
      self.iteration = iteration
    }

    /// The next event; nil when the iteration is over or the task is cancelled.
    public func next() async throws(EventSourceError) -> ServerSentEvent? {
      try await iteration.next()
    }

    /// The next event; nil when the iteration is over or the task is cancelled.
    public func next(
      isolation actor: isolated (any Actor)?
    ) async throws(EventSourceError) -> ServerSentEvent? {
      try await iteration.next()
    }
  }
}
