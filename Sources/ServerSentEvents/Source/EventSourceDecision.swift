/// What an event source does when a connection is not, or no longer, there.
public enum EventSourceDecision: Sendable, Hashable {
  /// Waits and connects again.
  case reconnect
  /// Ends the sequence.
  case finish
  /// Ends the sequence with the error.
  case fail
}

extension EventSourceDecision {
  /// Decides as the HTML standard does: connects again when the stream has ended or the network failed,
  /// and fails when the server answers with another status or content type.
  ///
  /// A buffer that was full counts as a broken connection where the stream has ids, since the server then
  /// repeats what was not read; without ids events would be lost, so that is a failure. So is an address
  /// of which nothing can come: of no known kind, or redirected without end.
  @Sendable
  public static func standard(_ error: EventSourceError, lastEventID: String) -> Self {
    switch error {
    case .network where error.isFutile: .fail
    case .ended, .network, .timedOut: .reconnect
    case .bufferFull: lastEventID.isEmpty ? .fail : .reconnect
    case .status, .contentType, .stream, .notStarted: .fail
    }
  }

  /// Decides as ``standard(_:lastEventID:)`` does, but also connects again where the server is overloaded
  /// or failing (status 408, 429 and 5xx), as it is while it restarts behind a proxy, and where the network
  /// failed the closure that makes the request.
  @Sendable
  public static func persistent(_ error: EventSourceError, lastEventID: String) -> Self {
    error.isTransient ? .reconnect : standard(error, lastEventID: lastEventID)
  }

  /// Never connects again: the sequence ends with the stream, and fails with anything else.
  @Sendable
  public static func once(_ error: EventSourceError, lastEventID: String) -> Self {
    if case .ended = error { .finish } else { .fail }
  }
}
