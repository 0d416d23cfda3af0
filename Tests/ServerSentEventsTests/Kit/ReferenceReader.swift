import ServerSentEvents

/// Reads a whole event stream as the standard says it, word for word and with no regard to cost.
///
/// HTML standard, "Parsing an event stream" and "Interpreting an event stream"; Encoding standard,
/// "UTF-8 decoder". It has nothing in common with the parser but the type of an event.
struct ReferenceReader {
  private(set) var events: [ServerSentEvent] = []
  private(set) var lastEventID = ""
  private(set) var reconnectionTime: Int?

  init(_ bytes: [UInt8]) {
    var dataBuffer = ""
    var typeBuffer = ""
    var idBuffer = ""
    for line in Self.lines(of: Self.decode(bytes)) {
      if line.isEmpty {
        lastEventID = idBuffer
        if dataBuffer.isEmpty {
          typeBuffer = ""
          continue
        }
        if dataBuffer.unicodeScalars.last == "\n" { dataBuffer.unicodeScalars.removeLast() }
        events.append(
          ServerSentEvent(
            id: lastEventID, type: typeBuffer.isEmpty ? "message" : typeBuffer, data: dataBuffer))
        dataBuffer = ""
        typeBuffer = ""
        continue
      }
      if line.first == ":" { continue }
      var field = line
      var value: [Unicode.Scalar] = []
      if let colon = line.firstIndex(of: ":") {
        field = Array(line[..<colon])
        value = Array(line[(colon + 1)...])
        if value.first == " " { value.removeFirst() }
      }
      let valueText = Self.text(value)
      switch Self.text(field) {
      case "event": typeBuffer = valueText
      case "data": dataBuffer += valueText + "\n"
      case "id": if !value.contains("\0") { idBuffer = valueText }
      case "retry":
        if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) {
          reconnectionTime = Int(valueText) ?? .max
        }
      default: break
      }
    }
  }

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  /// The complete lines; what stands behind the last end of a line is discarded.
  private static func lines(of scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
    var rest = scalars
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
    var lines: [[Unicode.Scalar]] = []
    var line: [Unicode.Scalar] = []
    var index = 0
    while index < rest.count {
      switch rest[index] {
      case "\r":
        lines.append(line)
        line = []
        if index + 1 < rest.count, rest[index + 1] == "\n" { index += 1 }
      case "\n":
        lines.append(line)
        line = []
      default: line.append(rest[index])
      }
      index += 1
    }
    return lines
  }

  private static func decode(_ bytes: [UInt8]) -> [Unicode.Scalar] {
    var output: [Unicode.Scalar] = []
    var point: UInt32 = 0
    var seen = 0
    var needed = 0
    var lower: UInt8 = 0x80
    var upper: UInt8 = 0xBF
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if needed == 0 {
        switch byte {
        case 0x00...0x7F: output.append(Unicode.Scalar(byte))
        case 0xC2...0xDF: (needed, point) = (1, UInt32(byte & 0x1F))
        case 0xE0...0xEF:
          if byte == 0xE0 { lower = 0xA0 }
          if byte == 0xED { upper = 0x9F }
          (needed, point) = (2, UInt32(byte & 0xF))
        case 0xF0...0xF4:
          if byte == 0xF0 { lower = 0x90 }
          if byte == 0xF4 { upper = 0x8F }
          (needed, point) = (3, UInt32(byte & 0x7))
        default: output.append("\u{FFFD}")
        }
        index += 1
      } else if !(lower...upper).contains(byte) {
        (point, needed, seen, lower, upper) = (0, 0, 0, 0x80, 0xBF)
        // The byte is read again.
        output.append("\u{FFFD}")
      } else {
        (lower, upper) = (0x80, 0xBF)
        point = point << 6 | UInt32(byte & 0x3F)
        seen += 1
        index += 1
        if seen == needed {
          output.append(Unicode.Scalar(point) ?? "\u{FFFD}")
          (point, needed, seen) = (0, 0, 0)
        }
      }
    }
    if needed != 0 { output.append("\u{FFFD}") }
    return output
  }
}

/// What a parser makes of a stream that comes in pieces.
struct Parsed: Equatable {
  var events: [ServerSentEvent] = []
  var lastEventID = ""
  var reconnectionTime: Duration?

  init(_ pieces: [[UInt8]]) throws {
    var parser = EventStreamParser()
    for piece in pieces { try parser.feed(piece, into: &events) }
    lastEventID = parser.lastEventID
    reconnectionTime = parser.reconnectionTime
  }

  init(_ text: String) throws {
    try self.init([Array(text.utf8)])
  }

  init(_ reference: ReferenceReader) {
    events = reference.events
    lastEventID = reference.lastEventID
    reconnectionTime = reference.reconnectionTime.map { .milliseconds($0) }
  }
}
