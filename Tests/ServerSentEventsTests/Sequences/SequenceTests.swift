import AsyncFeedback
import Foundation
import LoopbackServer
import ServerSentEvents
import Testing

@Suite("Sequences of bytes and chunks", .timeLimit(.minutes(10))) struct SequenceTests {
  /// Bytes that end when nobody holds the sequence, through an iterator that does not hold it.
  private final class FragileBytes: AsyncSequence {
    typealias Element = UInt8
    private let bytes: [UInt8]

    init(_ text: String) {
      bytes = Array(text.utf8)
    }

    func makeAsyncIterator() -> Iterator {
      Iterator(owner: self, rest: bytes[...])
    }

    // Not Sendable.
    final class Iterator: AsyncIteratorProtocol {
      private weak var owner: FragileBytes?
      private var rest: ArraySlice<UInt8>

      init(owner: FragileBytes, rest: ArraySlice<UInt8>) {
        self.owner = owner
        self.rest = rest
      }

      func next() async throws -> UInt8? {
        owner == nil ? nil : rest.popFirst()
      }
    }
  }

  private struct Broken: Error {}

  private func stream<Element: Sendable>(_ elements: [Element]) -> AsyncStream<Element> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }

  private func data<Base: AsyncSequence>(
    _ events: ServerSentEventSequence<Base>
  ) async throws -> [String] {
    var data: [String] = []
    for try await event in events { data.append(event.data) }
    return data
  }

  @Test("K5: 5,000 events of one line, byte by byte")
  func manyEventsByteByByte() async throws {
    let text = (0..<5000).map { "data: \($0)\n\n" }.joined()
    let events = try await data(stream(Array(text.utf8)).serverSentEvents())
    #expect(events == (0..<5000).map(String.init))
  }

  @Test("K14: bytes, arrays, data and text are read alike, without URLSession")
  func allKindsOfChunksAreReadAlike() async throws {
    let text = "data: a\n\ndata: 🎉\n\n"
    let expected = ["a", "🎉"]
    #expect(try await data(stream(Array(text.utf8)).serverSentEvents()) == expected)
    let chunks = [Array(text.utf8.prefix(10)), [], Array(text.utf8.dropFirst(10))]
    #expect(try await data(stream(chunks).serverSentEvents()) == expected)
    #expect(try await data(stream(chunks.map { Data($0) }).serverSentEvents()) == expected)
    #expect(try await data(stream(chunks.map { $0[...] }).serverSentEvents()) == expected)
    #expect(try await data(stream([text.utf8]).serverSentEvents()) == expected)
  }

  @Test("K14: what parses does not import Foundation", arguments: ["Parsing", "Sequences"])
  func whatParsesDoesNotImportFoundation(folder: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let sources = root.appendingPathComponent("Sources/ServerSentEvents/\(folder)")
    let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      #expect(
        !text.split(separator: "\n").contains { !$0.hasPrefix("///") && $0.contains("import ") })
    }
  }

  @Test("K13: an event is delivered before more is asked of the source")
  func anEventIsDeliveredBeforeMoreIsAskedFor() async throws {
    let asked = Entries<Int>()
    let pieces = ["data: a\n\ndata: b\n\nda", "ta: c\n\n"].map { Array($0.utf8) }
    let chunks = AsyncStream<[UInt8]> {
      asked.note(asked.count)
      return asked.count <= pieces.count ? pieces[asked.count - 1] : nil
    }
    var iterator = chunks.serverSentEvents().makeAsyncIterator()
    #expect(asked.count == 0)
    #expect(try await iterator.next()?.data == "a")
    #expect(try await iterator.next()?.data == "b")
    #expect(asked.count == 1)
    #expect(try await iterator.next()?.data == "c")
    #expect(asked.count == 2)
    #expect(try await iterator.next() == nil)
    #expect(asked.count == 3)
    // It is over, and the source is not asked again.
    #expect(try await iterator.next() == nil)
    #expect(asked.count == 3)
  }

  @Test("K13: with the source held open between two events")
  func withTheSourceHeldOpen() async throws {
    let (bytes, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    var iterator = bytes.serverSentEvents().makeAsyncIterator()
    continuation.yield(Array("data: a\r\r".utf8))
    #expect(try await iterator.next()?.data == "a")
    continuation.yield(Array("\ndata: b\n\n".utf8))
    #expect(try await iterator.next()?.data == "b")
    continuation.finish()
    #expect(try await iterator.next() == nil)
  }

  @Test("E19: the sequence is kept as long as its iterator")
  func theSequenceIsKept() async throws {
    var iterator = FragileBytes("data: a\n\ndata: b\n\n").serverSentEvents().makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    #expect(try await iterator.next()?.data == "b")
    #expect(try await iterator.next() == nil)
  }

  @Test @MainActor func anIteratorThatIsNotSendableWorksOnTheMainActor() async throws {
    var data: [String] = []
    for try await event in FragileBytes("data: a\n\ndata: b\n\n").serverSentEvents() {
      data.append(event.data)
    }
    #expect(data == ["a", "b"])
  }

  @Test func theErrorOfTheSourceComesBehindItsEvents() async throws {
    let bytes = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array("data: a\n\ndata: b\n\ndata: half".utf8))
      continuation.finish(throwing: Broken())
    }
    var iterator = bytes.serverSentEvents().makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    #expect(try await iterator.next()?.data == "b")
    await #expect(throws: Broken.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func theErrorOfTheParserComesBehindTheEventsBeforeIt() async throws {
    let chunks = stream([Array("data: a\n\ndata: too long\n\n".utf8), Array("data: b\n\n".utf8)])
    var iterator = chunks.serverSentEvents(limits: EventStreamLimits(line: 8)).makeAsyncIterator()
    #expect(try await iterator.next()?.data == "a")
    await #expect(throws: EventStreamError.lineTooLong(limit: 8)) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func halfAnEventAtTheEndIsDropped() async throws {
    #expect(try await data(stream(["data: a\n\ndata: b\n".utf8]).serverSentEvents()) == ["a"])
  }

  @Test func eachIterationReadsFromTheStart() async throws {
    let events = FragileBytes("id: 1\ndata: a\n\n").serverSentEvents(lastEventID: "0")
    #expect(try await data(events) == ["a"])
    #expect(try await data(events) == ["a"])
  }
}
