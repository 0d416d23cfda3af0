import AsyncFeedback
import ServerSentEvents
import Testing

@Suite("Splits") struct SplitTests {
  /// All that a stream can have: the three ends of a line, comments, ids, types, text of many bytes.
  private let stream = Array(
    ("\u{FEFF}: hello\n\nid: 1\r\ndata: grüße 🎉\r\n\r\ndata:two\rdata\rdata:  lines \r\r"
      + "event: añadir\nid\ndata: 日本\n\n:comment: data\r\nretry: 2500\r\nid: 9\n\r\n"
      + "data: 👩‍👩‍👧‍👦\ndata: ✓\r\n\ndata: half").utf8)

  private let expected = [
    ServerSentEvent(id: "1", data: "grüße 🎉"),
    ServerSentEvent(id: "1", data: "two\n\n lines "),
    ServerSentEvent(id: "", type: "añadir", data: "日本"),
    ServerSentEvent(id: "9", data: "👩‍👩‍👧‍👦\n✓"),
  ]

  @Test("K1: the stream as a whole")
  func theStreamAsAWhole() throws {
    let whole = try Parsed([stream])
    #expect(whole.events == expected)
    #expect(whole.lastEventID == "9")
    #expect(whole.reconnectionTime == .milliseconds(2500))
    #expect(whole == Parsed(ReferenceReader(stream)))
  }

  @Test("K1: any split gives the same events, with empty pieces in between")
  func anySplitGivesTheSameEvents() throws {
    let whole = try Parsed([stream])
    for position in 0...stream.count {
      let halves = [Array(stream[..<position]), [], Array(stream[position...])]
      #expect(try Parsed(halves) == whole, "split at \(position)")
    }
    for first in stride(from: 0, through: stream.count, by: 3) {
      for second in first...stream.count {
        let parts = [stream[..<first], stream[first..<second], stream[second...]].map { Array($0) }
        guard try Parsed(parts) == whole else {
          Issue.record("split at \(first) and \(second)")
          return
        }
      }
    }
  }

  @Test("K1: byte by byte")
  func byteByByte() throws {
    let whole = try Parsed([stream])
    #expect(try Parsed(stream.map { [$0] }) == whole)
    #expect(try Parsed(stream.flatMap { [[], [$0]] }) == whole)
  }

  @Test("K1: bytes that do not stand side by side")
  func bytesThatDoNotStandSideBySide() throws {
    var parser = EventStreamParser()
    var events: [ServerSentEvent] = []
    let long = String(repeating: "x", count: 5000)
    try parser.feed(AnySequence("data: \(long)\n\n".utf8), into: &events)
    try parser.feed(stream.lazy.map { $0 }, into: &events)
    #expect(events.map(\.data) == [long] + expected.map(\.data))
  }

  @Test("K2: each end of a line, and any mixture", arguments: ["\n", "\r", "\r\n"])
  func eachEndOfALine(end: String) throws {
    let text = ["id: 1", "data: a", "data: b", "", "data: c", "", ""].joined(separator: end)
    #expect(
      try Parsed(text).events == [
        ServerSentEvent(id: "1", data: "a\nb"), ServerSentEvent(id: "1", data: "c"),
      ])
  }

  @Test("K2: mixtures of ends", arguments: ["\n\r\n", "\r\r\n", "\r\n\r", "\n\r", "\r\n\n"])
  func mixturesOfEnds(end: String) throws {
    #expect(try Parsed("data: a" + end + "data: b" + end).events.map(\.data) == ["a", "b"])
  }

  @Test("K2: a lone carriage return at the end delivers at once")
  func aLoneCarriageReturnDeliversAtOnce() throws {
    var parser = EventStreamParser()
    var events: [ServerSentEvent] = []
    try parser.feed("data: a\r\r".utf8, into: &events)
    #expect(events.map(\.data) == ["a"])
    // The line feed belongs to the return before it, and is no empty line.
    try parser.feed("\n".utf8, into: &events)
    try parser.feed("data: b\r\n\r".utf8, into: &events)
    #expect(events.map(\.data) == ["a", "b"])
    try parser.feed("\ndata: c\n\n".utf8, into: &events)
    #expect(events.map(\.data) == ["a", "b", "c"])
  }

  @Test("K4: a character over the border of two pieces", arguments: 1...3)
  func aCharacterOverTheBorder(count: Int) throws {
    let bytes = Array("data: 🎉\n\n".utf8)
    let pieces = [Array(bytes[..<(6 + count)]), Array(bytes[(6 + count)...])]
    #expect(try Parsed(pieces).events.map(\.data) == ["🎉"])
  }

  @Test("K4: bytes that are no UTF-8 become replacement characters")
  func bytesThatAreNoUTF8() throws {
    let stray = Array("data: a".utf8) + [0xFF] + Array("b\n\n".utf8)
    #expect(try Parsed([stray]).events.map(\.data) == ["a\u{FFFD}b"])
    // A character that is cut off by the end of its line costs nothing of the line behind.
    let cut = Array("data: a".utf8) + [0xF0, 0x9F, 0x8E] + Array("\ndata: b\n\n".utf8)
    #expect(try Parsed([cut]).events.map(\.data) == ["a\u{FFFD}\nb"])
    #expect(try Parsed([cut]) == Parsed(ReferenceReader(cut)))
  }

  @Test func onlyTheFirstByteOrderMarkIsLeftOut() throws {
    let mark = "\u{FEFF}"
    #expect(try Parsed(mark + "data: a\n\n").events.map(\.data) == ["a"])
    #expect(try Parsed(mark + mark + "data: a\n\ndata: b\n\n").events.map(\.data) == ["b"])
    #expect(try Parsed("data: \(mark)a\n\(mark)data: b\n\n").events.map(\.data) == ["\(mark)a"])
    // What only begins like a mark is a part of the line.
    #expect(try Parsed([[0xEF, 0xBB], Array("data: a\n\ndata: b\n\n".utf8)]).events.count == 1)
  }

  @Test("any stream in any pieces reads as the standard says", arguments: 0..<200)
  func anyStreamReadsAsTheStandardSays(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let words: [[UInt8]] =
      ["data", "event", "id", "retry", ":", ": ", "\n", "\r", "\r\n", "\n\n", "a", "é", "🎉", "0"]
      .map { Array($0.utf8) } + [[0], [0xFF], [0xF0, 0x9F], [0xEF, 0xBB, 0xBF], [0xC3], [0x20]]
    for _ in 0..<20 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        bytes += words[Int.random(in: 0..<words.count, using: &random)]
      }
      var pieces: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = min(Int.random(in: 0..<8, using: &random), rest.count)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      let expected = Parsed(ReferenceReader(bytes))
      #expect(try Parsed(pieces) == expected, "\(bytes)")
      #expect(try Parsed([bytes]) == expected, "\(bytes)")
    }
  }
}
