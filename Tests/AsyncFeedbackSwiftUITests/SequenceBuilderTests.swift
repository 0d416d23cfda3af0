import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import SwiftUI
import Testing

@MainActor @Suite("Sequences in views", .timeLimit(.minutes(10)))
struct SequenceBuilderTests {
  struct SequenceScreen: View {
    let feeds: [TestFeed<Int>]
    @State private var index = 0
    @State private var other = 0

    var body: some View {
      Button("next") { index = (index + 1) % feeds.count }
      Button("other \(other)") { other += 1 }
      StreamBuilder(id: index, stream: { feeds[$0].make() }) { number in
        Text("\(number)")
      } empty: {
        Text("empty")
      } error: { error in
        Text("\(type(of: error))")
      }
    }
  }

  /// A sequence of one element or error that takes no notice of its cancellation.
  struct Stubborn: AsyncSequence {
    let answer: @Sendable () throws -> Int?
    let asked = Signal()
    let go = Signal()
    /// Given when nobody consumes it any more.
    let gone = Signal()

    struct Iterator: AsyncIteratorProtocol {
      let sequence: Stubborn
      let canary: Canary

      mutating func next() async throws -> Int? {
        sequence.asked.give()
        // In a task of its own, which nobody cancels.
        await Task { [go = sequence.go] in _ = await go.wait() }.value
        return try sequence.answer()
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self, canary: Canary(gone)) }
  }

  @Test func aValueOfAReplacedIDNeverShows() async throws {
    let feeds = [TestFeed<Int>(limit: patience), TestFeed<Int>(limit: patience)]
    let host = Host { SequenceScreen(feeds: feeds) }
    #expect(host.lines.last == "empty")
    let first = await feeds[0].run(0)
    await first.send(1)
    await host.wait(for: "1")
    for _ in 0..<10 { try host.tap("other \(feeds[0].runs.count == 1 ? otherCount(host) : -1)") }
    // What is on its way as the id changes comes too late.
    first.yield(9)
    try host.tap("next")
    #expect(host.lines.last == "empty")
    await first.ended()
    #expect(host.lines.last == "empty")
    await feeds[1].run(0).send(2)
    await host.wait(for: "2")
    try host.tap("next")
    #expect(host.lines.last == "empty")
    await feeds[0].run(1).send(3)
    await host.wait(for: "3")
  }

  @Test func aValueIsGoneWhenAnotherIDHasBegun() async throws {
    let feeds = [TestFeed<Int>(limit: patience), TestFeed<Int>(limit: patience)]
    let host = Host { SequenceScreen(feeds: feeds) }
    await feeds[0].run(0).send(1)
    await host.wait(for: "1")
    try host.tap("next")
    _ = await feeds[1].run(0)
    try host.tap("next")
    #expect(host.lines.last == "empty")
    await feeds[0].run(1).send(2)
    await host.wait(for: "2")
  }

  @Test func anIDThatIsPassedOverIsAskedNothing() async throws {
    let feeds = [TestFeed<Int>(limit: patience), TestFeed<Int>(limit: patience)]
    let host = Host { SequenceScreen(feeds: feeds) }
    await feeds[0].run(0).send(1)
    await host.wait(for: "1")
    for _ in 0..<20 { try host.tap("next") }
    // No other id has begun, so what stood still does.
    #expect(host.lines.last == "1")
    await feeds[0].run(1).send(2)
    await host.wait(for: "2")
    #expect(feeds.map(\.runs.count) == [2, 0])
  }

  @Test func aViewThatIsCoveredAtOnceAsksForNothing() async {
    let feed = TestFeed<Int>(limit: patience)
    let host = Host { SequenceScreen(feeds: [feed]) }
    for _ in 0..<20 {
      host.cover()
      host.uncover()
    }
    await feed.run(0).send(1)
    await host.wait(for: "1")
    #expect(feed.runs.count == 1)
  }

  @Test func anIDThatIsNotEqualToItselfIsNoOtherIDEachTime() async throws {
    struct Screen: View {
      let feed: TestFeed<Int>
      let log: Log
      @State private var other = 0

      var body: some View {
        Button("other") { other += 1 }
        StreamBuilder(id: other < 100 ? Double.nan : 1, stream: { _ in feed.make() }) { number in
          Text("\(number)")
        } empty: {
          let _ = log.note("empty")
          Text("empty")
        } error: { _ in
          Text("error")
        }
      }
    }
    let feed = TestFeed<Int>(limit: patience)
    let log = Log()
    let host = Host { Screen(feed: feed, log: log) }
    let run = await feed.run(0)
    host.update()
    #expect(log.entries == ["empty"], "that nothing is there is no news")
    await run.send(1)
    await host.wait(for: "1")
    for _ in 0..<99 { try host.tap("other") }
    #expect(host.lines.last == "1")
    #expect(feed.runs.count == 1)
    try host.tap("other")
    #expect(host.lines.last == "empty")
    await feed.run(1).send(2)
    await host.wait(for: "2")
  }

  @Test(arguments: [false, true])
  func whatACancelledSequenceBringsDoesNotShow(isBroken: Bool) async {
    struct Screen: View {
      let make: () -> any AsyncSequence<Int, any Error>

      var body: some View {
        StreamBuilder(make()) { number in
          Text("\(number)")
        } empty: {
          Text("empty")
        } error: { _ in
          Text("error")
        }
      }
    }
    let late = Stubborn { if isBroken { throw StreamBuilderTests.Broken() } else { 9 } }
    let feed = TestFeed<Int>(limit: patience)
    var isFirst = true
    let host = Host {
      Screen {
        defer { isFirst = false }
        return isFirst ? late : feed.make()
      }
    }
    _ = await late.asked.wait()
    host.cover()
    host.uncover()
    let second = await feed.run(0)
    late.go.give()
    _ = await late.gone.wait()
    host.update()
    #expect(host.lines == ["empty"])
    await second.send(1)
    await host.wait(for: "1")
  }

  private func otherCount(_ host: Host) -> Int {
    (0...10).first { host.shows("[other \($0)]") } ?? -1
  }

  @Test func aSequenceThatIsBegunAnewKeepsItsValueAndForgetsItsError() async {
    let feed = TestFeed<Int>(limit: patience)
    let host = Host { SequenceScreen(feeds: [feed]) }
    await feed.run(0).send(1)
    await host.wait(for: "1")
    host.cover()
    await feed.run(0).ended()
    host.uncover()
    let second = await feed.run(1)
    #expect(host.lines.last == "1")
    second.fail(with: CancellationError())
    await host.wait(for: "CancellationError")
    host.cover()
    host.uncover()
    await host.wait(for: "empty")
    await feed.run(2).send(2)
    await host.wait(for: "2")
  }

  @Test func theLastValueOfASequenceThatEndsStays() async {
    let feed = TestFeed<Int>(limit: patience)
    let host = Host { SequenceScreen(feeds: [feed]) }
    let run = await feed.run(0)
    await run.send(1)
    run.finish()
    await run.ended()
    await host.wait(for: "1")
  }

  @Test func aSequenceThatFailsWithOneTypeOrNeverIsShown() async {
    struct Screen: View {
      let never: AsyncStream<Int>
      let one: any AsyncSequence<Int, StreamBuilderTests.Broken>

      var body: some View {
        StreamBuilder(never) { number in
          Text("bare \(number)")
        } empty: {
          ProgressView()
        } error: { _ in
          EmptyView()
        }
        StreamBuilder(id: 1, stream: { _ in one }) { number in
          Text("id \(number)")
        } empty: {
          ProgressView()
        } error: { error in
          Text("\(error is StreamBuilderTests.Broken)")
        }
      }
    }
    let (never, numbers) = AsyncStream.makeStream(of: Int.self)
    numbers.yield(1)
    let host = Host { Screen(never: never, one: Failing()) }
    await host.wait { host.lines == ["bare 1", "true"] }
  }

  /// A sequence of no element that fails with one type.
  struct Failing: AsyncSequence, AsyncIteratorProtocol {
    func makeAsyncIterator() -> Failing { self }

    mutating func next() async throws -> Int? {
      throw StreamBuilderTests.Broken()
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StreamBuilderTests.Broken) -> Int? {
      throw StreamBuilderTests.Broken()
    }
  }

  @Test func aBareSequenceIsMadeOnceForEachAppearance() async throws {
    struct Screen: View {
      let feed: TestFeed<Int>
      @State private var other = 0

      var body: some View {
        Button("other") { other += 1 }
        StreamBuilder(feed.make()) { number in
          Text("\(number)")
        } empty: {
          Text("empty")
        } error: { _ in
          Text("error")
        }
      }
    }
    let feed = TestFeed<Int>(limit: patience)
    let host = Host { Screen(feed: feed) }
    await feed.run(0).send(1)
    for _ in 0..<10 { try host.tap("other") }
    await host.wait(for: "1")
    #expect(feed.runs.count == 1)
    host.cover()
    host.uncover()
    await feed.run(1).send(2)
    await host.wait(for: "2")
  }
}
