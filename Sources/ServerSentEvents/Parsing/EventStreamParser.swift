/// Reads the events out of an event stream, piece by piece.
///
/// ```swift
/// import ServerSentEvents
///
/// var parser = EventStreamParser()
/// var events: [ServerSentEvent] = []
/// try parser.feed("data: one\n\nid: 7\ndata: t".utf8, into: &events)
/// try parser.feed("wo\n\n".utf8, into: &events)
/// print(events.map(\.data), parser.lastEventID)  // ["one", "two"] 7
/// ```
///
/// It follows the HTML standard, sections "Parsing an event stream" and "Interpreting an event stream"
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html). However the stream is cut into
/// pieces, the events are the same, and each is there with the piece that holds the end of its empty line:
/// a carriage return is not held back to see whether a line feed follows. Each byte is looked at a fixed
/// number of times, and what is kept between two pieces is bounded by the limits.
///
/// Bytes that are no UTF-8 become replacement characters. A byte order mark at the start is left out.
public struct EventStreamParser: Sendable {
  /// The id that a client says when it connects again: that of the last block with an id, empty without.
  ///
  /// An id counts once its block has ended, be it one without data, which is no event.
  public private(set) var lastEventID: String

  /// How long the server wants clients to wait before they connect again, if it has said so.
  public private(set) var reconnectionTime: Duration?

  private let limits: EventStreamLimits
  private var start = StreamStart()
  /// Whether the last line ended in a carriage return, so that a line feed that follows belongs to it.
  private var skipsLineFeed = false
  /// Whether the line that has begun is a comment.
  private var isComment = false
  /// The line that has begun, as far as it has come.
  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var type: [UInt8] = []
  private var blockID: String?
  private var failure: EventStreamError?

  /// How many bytes were looked at or copied, for the tests of what the parser costs.
  package private(set) var work = 0

  /// Creates a parser for a stream that starts.
  ///
  /// - Parameter lastEventID: the last event id to start with, that of an earlier connection.
  public init(lastEventID: String = "", limits: EventStreamLimits = EventStreamLimits()) {
    self.lastEventID = lastEventID
    self.limits = limits
  }
}

// MARK: - Feeding

extension EventStreamParser {
  /// Reads a piece of the stream, of any size, and appends the events that it completes.
  ///
  /// It throws at the byte that breaks a limit, with the events before it appended, and then again each
  /// time: such a stream cannot be read on.
  public mutating func feed(
    _ bytes: some Sequence<UInt8>, into events: inout [ServerSentEvent]
  ) throws(EventStreamError) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { read($0, into: &events) }
    if isDone == nil { readPieces(of: bytes, into: &events) }
    if let failure { throw failure }
  }

  /// Reads one byte.
  ///
  /// What most bytes are, one more of a line that has begun, is done without a look at the rest.
  @usableFromInline
  mutating func feed(
    _ byte: UInt8, into events: inout [ServerSentEvent]
  ) throws(EventStreamError) {
    if !line.isEmpty, line.count < limits.line, byte != .lineFeed, byte != .carriageReturn,
      failure == nil
    {
      work += 1
      return line.append(byte)
    }
    withUnsafePointer(to: byte) { read(UnsafeBufferPointer(start: $0, count: 1), into: &events) }
    if let failure { throw failure }
  }

  /// Ends the stream: drops the block that is not complete, with its id, and forgets a failure.
  ///
  /// The last event id and the reconnection time stay, so that the parser can read the stream of the next
  /// connection.
  public mutating func finish() {
    start = StreamStart()
    skipsLineFeed = false
    isComment = false
    line = []
    forgetBlock()
    failure = nil
  }

  /// Gathers bytes that do not stand side by side.
  private mutating func readPieces(
    of bytes: some Sequence<UInt8>, into events: inout [ServerSentEvent]
  ) {
    let size = 1024
    var piece: [UInt8] = []
    piece.reserveCapacity(size)
    for byte in bytes {
      piece.append(byte)
      guard piece.count == size else { continue }
      piece.withUnsafeBufferPointer { read($0, into: &events) }
      piece.removeAll(keepingCapacity: true)
    }
    piece.withUnsafeBufferPointer { read($0, into: &events) }
  }

  private mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, into events: inout [ServerSentEvent]
  ) {
    var position = start.skip(bytes, holding: &line)
    while position < bytes.count, failure == nil {
      if skipsLineFeed {
        skipsLineFeed = false
        if bytes[position] == .lineFeed {
          position += 1
          continue
        }
      }
      let end = bytes.endOfLine(from: position)
      let piece = UnsafeBufferPointer(rebasing: bytes[position..<end])
      work += piece.count
      if line.isEmpty, piece.first == .colon { isComment = true }
      position = end + 1
      if end == bytes.count {
        hold(piece)
      } else {
        skipsLineFeed = bytes[end] == .carriageReturn
        endLine(with: piece, into: &events)
      }
    }
  }
}

// MARK: - Lines

extension EventStreamParser {
  /// Keeps a part of a line whose end has not come.
  private mutating func hold(_ piece: UnsafeBufferPointer<UInt8>) {
    guard !isComment else { return }
    guard line.count + piece.count <= limits.line else {
      return failure = .lineTooLong(limit: limits.line)
    }
    work += piece.count
    line += piece
  }

  private mutating func endLine(
    with piece: UnsafeBufferPointer<UInt8>, into events: inout [ServerSentEvent]
  ) {
    if isComment {
      isComment = false
    } else if line.isEmpty, piece.count <= limits.line {
      interpret(piece, into: &events)
    } else {
      hold(piece)
      guard failure == nil else { return }
      // Taken out, so that it can be read while the parser is changed.
      var whole: [UInt8] = []
      swap(&whole, &line)
      whole.withUnsafeBufferPointer { interpret($0, into: &events) }
      whole.removeAll(keepingCapacity: whole.capacity <= keptCapacity)
      swap(&whole, &line)
    }
  }

  private mutating func interpret(
    _ line: UnsafeBufferPointer<UInt8>, into events: inout [ServerSentEvent]
  ) {
    work += line.count
    if line.isEmpty { return dispatch(into: &events) }
    let colon = line.firstIndex(of: .colon) ?? line.count
    let name = UnsafeBufferPointer(rebasing: line[..<colon])
    var value = line[min(colon + 1, line.count)...]
    if value.first == .space { value = value.dropFirst() }
    if name.spells("data") {
      appendData(value)
    } else if name.spells("event") {
      guard data.count + value.count <= limits.event else { return failEvent() }
      type = Array(value)
    } else if name.spells("id") {
      if !value.contains(0) { blockID = String(decoding: value, as: UTF8.self) }
    } else if name.spells("retry") {
      reconnectionTime = milliseconds(value) ?? reconnectionTime
    }
  }

  private mutating func appendData(_ value: Slice<UnsafeBufferPointer<UInt8>>) {
    guard type.count + data.count + value.count + 1 <= limits.event else { return failEvent() }
    work += value.count
    data += value
    data.append(.lineFeed)
  }

  private mutating func failEvent() {
    failure = .eventTooLarge(limit: limits.event)
  }
}

// MARK: - Blocks

extension EventStreamParser {
  private mutating func dispatch(into events: inout [ServerSentEvent]) {
    lastEventID = blockID ?? lastEventID
    if !data.isEmpty {
      work += data.count
      events.append(
        ServerSentEvent(
          id: lastEventID,
          type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
          data: String(decoding: data.dropLast(), as: UTF8.self)))
    }
    forgetBlock()
  }

  private mutating func forgetBlock() {
    data.removeAll(keepingCapacity: data.capacity <= keptCapacity)
    type.removeAll(keepingCapacity: type.capacity <= keptCapacity)
    blockID = nil
  }
}

/// The largest buffer that is kept for the next line or event: a large one is an exception.
private var keptCapacity: Int { 1 << 16 }

/// The duration that ASCII digits say, nil for anything else.
private func milliseconds(_ digits: some Sequence<UInt8>) -> Duration? {
  var value: Int64?
  for digit in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
    let (product, isTooLarge) = (value ?? 0).multipliedReportingOverflow(by: 10)
    let (sum, overflows) = product.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
    value = isTooLarge || overflows || value == .max ? .max : sum
  }
  return value.map { .milliseconds($0) }
}
