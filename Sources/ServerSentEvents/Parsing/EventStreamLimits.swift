/// How much of an event stream may have to be kept before it is an event.
///
/// What is kept of a stream is one line, one event and two ids, each no longer than a line, however the
/// stream is sent. Comments are not kept, so neither limit counts them.
public struct EventStreamLimits: Sendable, Hashable {
  /// The bytes of the longest line, without its end.
  public var line: Int

  /// The bytes of the largest event: its type, its data, and one for each line of the data.
  ///
  /// Its id is bounded by the line.
  public var event: Int

  /// Creates limits; both must be positive, and are 16 MiB if nothing is said.
  public init(line: Int = 16 << 20, event: Int = 16 << 20) {
    precondition(line > 0, "line must be positive (was \(line))")
    precondition(event > 0, "event must be positive (was \(event))")
    self.line = line
    self.event = event
  }
}
