import Testing

@testable import ServerSentEvents

@Suite("Limits") struct LimitTests {
  private func feed(
    _ text: String, line: Int = 20, event: Int = 20
  ) -> (data: [String], error: EventStreamError?) {
    var parser = EventStreamParser(limits: EventStreamLimits(line: line, event: event))
    var events: [ServerSentEvent] = []
    do throws(EventStreamError) {
      try parser.feed(text.utf8, into: &events)
      return (events.map(\.data), nil)
    } catch {
      return (events.map(\.data), error)
    }
  }

  @Test("K12: a line of 10 MB in pieces of 1 KB costs a fixed amount for each byte")
  func aLongLineCostsAFixedAmountForEachByte() throws {
    var parser = EventStreamParser()
    var events: [ServerSentEvent] = []
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1024)
    let count = 10 * 1024
    try parser.feed("data: ".utf8, into: &events)
    for _ in 0..<count { try parser.feed(piece, into: &events) }
    try parser.feed("\n\n".utf8, into: &events)
    #expect(events.map(\.data.utf8.count) == [count * 1024])
    // Found, kept, read as a field, kept as data, turned into text.
    #expect(parser.work <= 5 * (count * 1024 + 100))
  }

  @Test func aBlockOfManyLinesCostsAFixedAmountForEachByte() throws {
    var parser = EventStreamParser()
    var events: [ServerSentEvent] = []
    let line = "data: 0123456789\n"
    for _ in 0..<100_000 { try parser.feed(line.utf8, into: &events) }
    try parser.feed("\n".utf8, into: &events)
    #expect(events.map(\.data.utf8.count) == [11 * 100_000 - 1])
    #expect(parser.work <= 5 * line.utf8.count * 100_000)
  }

  @Test func aLineMayBeAsLongAsTheLimit() {
    let longest = "data: " + String(repeating: "x", count: 14)
    #expect(feed(longest + "\n\n").error == nil)
    #expect(feed(longest + "x\n\n").error == .lineTooLong(limit: 20))
    // It does not take the end of the line to see that.
    #expect(feed(longest + "x").error == .lineTooLong(limit: 20))
  }

  @Test func anEventMayBeAsLargeAsTheLimit() {
    #expect(feed("data: 123456789\ndata: 123456789\n\n").data == ["123456789\n123456789"])
    #expect(
      feed("data: 123456789\ndata: 1234567890\n\n").error == .eventTooLarge(limit: 20))
    #expect(feed("event: 1234567890\ndata: 1234567890\n\n").error == .eventTooLarge(limit: 20))
    #expect(feed("data: 1234567890\nevent: 1234567890\n\n").error == .eventTooLarge(limit: 20))
    // The limit is that of one event.
    #expect(feed("data: 1234567890\n\ndata: 1234567890\n\n").data.count == 2)
  }

  @Test func aCommentMayHaveAnyLength() {
    let comment = ":" + String(repeating: "x", count: 1000) + "\n"
    #expect(feed("data: a\n" + comment + "\n").data == ["a"])
  }

  @Test func theEventsBeforeTheErrorAreThere() {
    let (data, error) = feed("data: a\n\ndata: 12345678901234567890\n\ndata: b\n\n")
    #expect(data == ["a"])
    #expect(error == .lineTooLong(limit: 20))
  }

  @Test func aStreamThatFailedFailsUntilItsEnd() throws {
    var parser = EventStreamParser(limits: EventStreamLimits(line: 4))
    var events: [ServerSentEvent] = []
    for text in ["id: 1", "\n\n", ""] {
      #expect(throws: EventStreamError.lineTooLong(limit: 4)) {
        try parser.feed(text.utf8, into: &events)
      }
    }
    parser.finish()
    try parser.feed("data\n\n".utf8, into: &events)
    #expect(events.map(\.data) == [""])
  }

  @Test func bytesThatComeOneByOneAreLimitedAlike() throws {
    var parser = EventStreamParser(limits: EventStreamLimits(line: 8))
    var events: [ServerSentEvent] = []
    for byte in "data: 12\n\ndata: 34".utf8 { try parser.feed(byte, into: &events) }
    #expect(events.map(\.data) == ["12"])
    // At the very byte, and again at each that follows.
    for byte in "5\n\n678".utf8 {
      #expect(throws: EventStreamError.lineTooLong(limit: 8)) {
        try parser.feed(byte, into: &events)
      }
    }
    #expect(events.count == 1)
  }

  @Test func theErrorsSayTheLimitAndWhatToDo() {
    #expect(
      EventStreamError.lineTooLong(limit: 20).description == """
        A line of the event stream is longer than the limit of 20 bytes. Check that the server sends an \
        event stream; if it does, raise EventStreamLimits.line.
        """)
    #expect(
      EventStreamError.eventTooLarge(limit: 30).description == """
        An event of the event stream is larger than the limit of 30 bytes. Check that the server ends its \
        events with an empty line; if it does, raise EventStreamLimits.event.
        """)
  }
}
