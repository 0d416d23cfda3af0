/// What an event source is doing, and what it has done so far.
public struct EventSourceStatus: Sendable {
  /// Where a connection stands.
  public enum State: Sendable, Hashable {
    /// Nobody has asked for an event yet.
    case idle
    /// The server is asked, and has not answered.
    case connecting
    /// The server sends events.
    case open
    /// There is no connection, and another is tried after the delay; `attempt` counts from one the tries
    /// in a row that brought nothing.
    case waiting(Duration, attempt: Int)
    /// The iteration is over.
    case closed
  }

  /// Where the connection stands; with several iterations, where the one stands that changed it last.
  public internal(set) var state = State.idle

  /// How many connections were tried.
  public internal(set) var attempts = 0

  /// How many connections were opened.
  public internal(set) var connects = 0

  /// How many connections were opened after the first.
  public var reconnects: Int { max(0, connects - 1) }

  /// How many events were delivered.
  public internal(set) var events = 0

  /// How many bytes of event streams were read.
  public internal(set) var bytes = 0

  /// The last event id: that of the last delivered event, or of a block without data behind it.
  ///
  /// An event that has come and is not delivered does not count, and neither does a block behind it. With
  /// several iterations it is that of the one which came to a new id last.
  public internal(set) var lastEventID = ""

  /// Why the last connection is gone that did not end by the consumer's will.
  public internal(set) var failure: EventSourceError?
}
