/// Why an event stream cannot be read on.
public enum EventStreamError: Error, Sendable, Hashable {
  /// A line has more bytes than ``EventStreamLimits/line`` allows.
  case lineTooLong(limit: Int)
  /// An event has more bytes than ``EventStreamLimits/event`` allows.
  case eventTooLarge(limit: Int)
}

extension EventStreamError: CustomStringConvertible {
  /// What is too large, the limit, and what to do.
  public var description: String {
    switch self {
    case .lineTooLong(let limit):
      "A line of the event stream is longer than the limit of \(limit) bytes. Check that the server sends "
        + "an event stream; if it does, raise EventStreamLimits.line."
    case .eventTooLarge(let limit):
      "An event of the event stream is larger than the limit of \(limit) bytes. Check that the server ends "
        + "its events with an empty line; if it does, raise EventStreamLimits.event."
    }
  }
}
