import ServerSentEvents
import Testing

@Suite("Fields") struct FieldTests {
  @Test("K6: an id with a NUL is ignored, and the old one stays")
  func anIDWithANULIsIgnored() throws {
    let events = try Parsed("id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n").events
    #expect(events.map(\.id) == ["1", "1"])
  }

  @Test("K6: an id stays for later events, and an empty one clears it")
  func anIDStaysForLaterEvents() throws {
    let events = try Parsed("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\nid: 2\nid:\ndata: d\n\n")
      .events
    #expect(events.map(\.id) == ["1", "1", "", ""])
  }

  @Test("K6: a block with nothing but an id is no event, and sets the last id")
  func aBlockWithOnlyAnIDSetsTheLastID() throws {
    let parsed = try Parsed("data: a\n\nid: 7\n\n")
    #expect(parsed.events.map(\.id) == [""])
    #expect(parsed.lastEventID == "7")
    #expect(try Parsed("id: 7\n\ndata: a\n\n").events.map(\.id) == ["7"])
  }

  @Test("K6: an id counts when its block has ended")
  func anIDCountsWhenItsBlockHasEnded() throws {
    #expect(try Parsed("id: 1\n\nid: 2\ndata: a\n").lastEventID == "1")
  }

  @Test("K8: one space is removed in front, and nothing at the end")
  func oneSpaceIsRemovedInFront() throws {
    let events = try Parsed("data:a\n\ndata: a\n\ndata:  a \n\ndata:\ta\n\ndata: :a: b\n\n").events
    #expect(events.map(\.data) == ["a", "a", " a ", "\ta", ":a: b"])
  }

  @Test("K8: a line without a colon is a field with an empty value")
  func aLineWithoutAColon() throws {
    #expect(try Parsed("data\n\ndata\ndata\n\n").events.map(\.data) == ["", "\n"])
    #expect(try Parsed("data:\n\ndata: \n\n").events.map(\.data) == ["", ""])
  }

  @Test("K8: names that are unknown or in other letters are ignored")
  func otherNamesAreIgnored() throws {
    let text =
      "Data: a\nDATA: b\n data: c\ndata : d\ndatum: e\ndat: f\nfoo: g\nevent : x\ndata: z\n\n"
    #expect(try Parsed(text).events == [ServerSentEvent(data: "z")])
  }

  @Test("K8: a line that begins with a colon is a comment")
  func aLineThatBeginsWithAColonIsAComment() throws {
    let parsed = try Parsed(":\n: data: a\n:data: b\nid: 1\n:id: 2\ndata: c\n:\n\n")
    #expect(parsed.events == [ServerSentEvent(id: "1", data: "c")])
  }

  @Test func theTypeIsThatOfTheBlock() throws {
    let text =
      "event: add\ndata: a\n\ndata: b\n\nevent: x\nevent: y\ndata: c\n\nevent:\ndata: d\n\n"
    #expect(try Parsed(text).events.map(\.type) == ["add", "message", "y", "message"])
    // A block without data is no event, and its type goes with it.
    #expect(try Parsed("event: add\n\ndata: a\n\n").events.map(\.type) == ["message"])
  }

  @Test(
    "the reconnection time takes digits alone",
    arguments: [
      ("10", 10), ("007", 7), ("0", 0), (" 5", nil), ("-1", nil), ("+1", nil), ("1.5", nil),
      ("1s", nil), ("", nil), ("٣", nil), ("99999999999999999999999", Int64.max),
    ] as [(String, Int64?)])
  func theReconnectionTimeTakesDigitsAlone(text: String, expected: Int64?) throws {
    #expect(try Parsed("retry: \(text)\n").reconnectionTime == expected.map { .milliseconds($0) })
    let stays = try Parsed("retry: 4\nretry: \(text)\n").reconnectionTime
    #expect(stays == .milliseconds(expected ?? 4))
  }

  @Test("K10: the end of a stream drops the block that is not complete, and keeps the last id")
  func theEndOfAStreamDropsHalfABlock() throws {
    var parser = EventStreamParser()
    var events: [ServerSentEvent] = []
    try parser.feed("retry: 5\nid: 1\ndata: a\n\nid: 2\nevent: x\ndata: b\nda".utf8, into: &events)
    parser.finish()
    #expect(parser.lastEventID == "1")
    #expect(parser.reconnectionTime == .milliseconds(5))
    try parser.feed("ta: c\n\n\u{FEFF}data: d\n\ndata: e\n\n".utf8, into: &events)
    #expect(
      events == [ServerSentEvent(id: "1", data: "a"), ServerSentEvent(id: "1", data: "e")])
    parser.finish()
    try parser.feed("\u{FEFF}data: f\n\n".utf8, into: &events)
    #expect(events.last == ServerSentEvent(id: "1", data: "f"))
    try parser.feed(": half a comment".utf8, into: &events)
    parser.finish()
    try parser.feed("data: g\n\n".utf8, into: &events)
    #expect(events.last == ServerSentEvent(id: "1", data: "g"))
  }

  @Test func aParserCanGoOnBehindAnID() throws {
    var parser = EventStreamParser(lastEventID: "41")
    var events: [ServerSentEvent] = []
    try parser.feed("data: a\n\n".utf8, into: &events)
    #expect(events.map(\.id) == ["41"])
  }
}
