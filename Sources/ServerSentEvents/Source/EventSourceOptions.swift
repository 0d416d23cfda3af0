public import AsyncFeedback
internal import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// How an event source connects, waits and gives up.
public struct EventSourceOptions: Sendable {
  /// How long to wait before connecting again, as long as the server has not said another time; not
  /// negative.
  public var reconnectionTime: Duration = .seconds(3)

  /// What is waited in addition, by the number of tries in a row that brought no byte.
  ///
  /// By default half a second, doubled with each try up to 30 seconds, and drawn from the upper half of
  /// that so that the clients of a server that restarts do not all come at once.
  public var backoff = Backoff.exponential(
    from: .milliseconds(500), to: .seconds(30), jitterSeed: .random(in: 0 ... .max))

  /// How long a connection may take until the server answers, redirects included; positive, or nil for
  /// ever.
  public var connectLimit: Duration? = .seconds(30)

  /// How long an open stream may be silent, comments not counted as silence; positive, or nil for ever.
  ///
  /// For a server that sends something at regular times, this finds a connection that is dead without
  /// anybody having said so.
  public var silenceLimit: Duration?

  /// How many bytes may wait to be read; positive.
  ///
  /// A connection that brings more while the consumer is busy is closed, and what has come is delivered
  /// before ``EventSourceError/bufferFull(limit:)``. By default that is a reason to connect again where
  /// the stream has ids, and otherwise an error. On Apple platforms the connection is paused at half of
  /// this, so that the server has to wait; on Linux URLSession cannot pause.
  public var bufferLimit = 16 << 20

  /// How large a line and an event may be.
  public var limits = EventStreamLimits()

  /// What to do when a connection is not, or no longer, there; as the HTML standard says by default.
  ///
  /// It is called in the task of the consumer, behind all events that came before. Errors about which it
  /// says ``EventSourceDecision/reconnect`` can be seen in ``EventSourceStatus/failure``.
  public var decide: @Sendable (EventSourceError, _ lastEventID: String) -> EventSourceDecision =
    EventSourceDecision.standard

  /// The configuration of the session that each connection is made with; called for each connection.
  ///
  /// Its timeouts and its cache have no meaning here: the limits above count instead, and an event stream
  /// is not cached.
  public var configuration: @Sendable () -> URLSessionConfiguration = { .ephemeral }

  /// Creates the options that are said above.
  public init() {}
}

extension EventSourceOptions {
  /// Ends the process if there is a value that makes no sense.
  func check() {
    precondition(bufferLimit > 0, "bufferLimit must be positive (was \(bufferLimit))")
    precondition(
      reconnectionTime >= .zero, "reconnectionTime must not be negative (was \(reconnectionTime))")
    check(connectLimit, "connectLimit")
    check(silenceLimit, "silenceLimit")
  }

  private func check(_ limit: Duration?, _ name: String) {
    guard let limit else { return }
    precondition(limit > .zero, "\(name) must be positive (was \(limit))")
  }

  /// The configuration with which a stream may be quiet for as long as it likes.
  func makeConfiguration() -> URLSessionConfiguration {
    let configuration = configuration()
    configuration.timeoutIntervalForRequest = Self.endless
    configuration.timeoutIntervalForResource = Self.endless
    configuration.urlCache = nil
    return configuration
  }

  /// Ten years, in seconds.
  ///
  /// Numbers that are much larger overflow in FoundationNetworking.
  static var endless: Double { 10 * 366 * 86_400 }
}
