public import Foundation

/// Why a connection of an event source is not, or no longer, there.
public enum EventSourceError: Error, Sendable {
  /// What took too long.
  public enum Wait: Sendable, Hashable {
    /// The answer of the server did not come.
    case connecting
    /// The stream was open, and nothing came.
    case silent
  }

  /// The server has ended the stream.
  case ended(URL?)
  /// The server cannot be reached, or the connection broke.
  case network(any Error, URL?)
  /// A limit of the options has passed.
  case timedOut(Wait, after: Duration, URL?)
  /// The server answered with a status other than 200 and 204.
  ///
  /// `retryAfter` is what it asks for in its `Retry-After` header, in seconds there.
  case status(Int, URL?, retryAfter: Duration?)
  /// The server answered with something other than an event stream.
  case contentType(String?, URL?)
  /// The stream breaks a limit of ``EventSourceOptions/limits``.
  case stream(EventStreamError, URL?)
  /// More came than may wait to be read (``EventSourceOptions/bufferLimit``).
  case bufferFull(limit: Int)
  /// The request could not be made, or the clock did not wait.
  case notStarted(any Error)
}

extension EventSourceError {
  /// Whether another try may well succeed: a stream that ended, a connection that broke or took too
  /// long, an overloaded or failing server (status 408, 429 and 5xx), a request that the network kept from
  /// being made.
  public var isTransient: Bool {
    switch self {
    case .network: !isFutile
    case .ended, .timedOut: true
    case .status(let status, _, _): status == 408 || status == 429 || (500...599).contains(status)
    case .notStarted(let error): error is URLError
    case .contentType, .stream, .bufferFull: false
    }
  }

  /// Whether nothing can come of the address.
  var isFutile: Bool {
    guard case .network(let error, _) = self, let code = (error as? URLError)?.code else {
      return false
    }
    return [.badURL, .unsupportedURL, .httpTooManyRedirects].contains(code)
  }
}

extension EventSourceError: CustomStringConvertible {
  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .ended(let url):
      "The server ended the event stream\(of(url))."
    case .network(let error, let url):
      "The connection\(to(url)) failed: \(describe(error))."
    case .timedOut(.connecting, let limit, let url):
      "The server did not answer within \(limit)\(of(url)). If it is only slow, raise connectLimit."
    case .timedOut(.silent, let limit, let url):
      "Nothing came for \(limit) on the event stream\(of(url)). Let the server send a comment from time to "
        + "time, or raise silenceLimit."
    case .status(let status, let url, _):
      "The server answered with status \(status) where an event stream was asked for\(of(url)). "
        + (isTransient
          ? "It may pass: EventSourceDecision.persistent tries again."
          : "Check the address and what the request carries.")
    case .contentType(let type, let url):
      "The server answered with the content type \(type.map { "\"\($0)\"" } ?? "none") instead of "
        + "\"text/event-stream\"\(of(url)). Check that the address is that of an event stream."
    case .stream(let error, let url):
      "The event stream\(of(url)) cannot be read. \(error)"
    case .bufferFull(let limit):
      "More came than the \(limit) bytes that may wait to be read. Read faster, or raise bufferLimit."
    case .notStarted(let error):
      "There was no connection to try: \(describe(error))."
    }
  }

  private func of(_ url: URL?) -> String { url.map { " (\($0.absoluteString))" } ?? "" }

  private func to(_ url: URL?) -> String { url.map { " to \($0.absoluteString)" } ?? "" }

  /// Not the description of an `NSError`, which is a page.
  private func describe(_ error: any Error) -> String {
    type(of: error) is NSError.Type || error is URLError
      ? error.localizedDescription : String(describing: error)
  }
}
