/// One event of an event stream.
public struct ServerSentEvent: Sendable, Hashable {
  /// The last event id of the stream as of this event, empty if it has none.
  ///
  /// It is the id of this event, or where this event has none, that of an earlier one: what a client says
  /// when it connects again so as to go on behind this event.
  public var id: String

  /// The type of the event, `"message"` where the stream names none.
  public var type: String

  /// The data; the lines of one event are joined by line feeds.
  public var data: String

  /// Creates an event.
  public init(id: String = "", type: String = "message", data: String) {
    self.id = id
    self.type = type
    self.data = data
  }
}
