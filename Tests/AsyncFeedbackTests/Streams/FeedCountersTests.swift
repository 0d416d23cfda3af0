import AsyncFeedback
import AsyncFeedbackTestSupport
import Observation
import Testing

@Suite("Feed: counts") struct FeedCountersTests {
  private let stage = FeedStage()

  /// Tracks one reading and counts what it is told.
  private func track(_ read: () -> some Any) -> Tally {
    let told = Tally()
    withObservationTracking {
      _ = read()
    } onChange: {
      told.increment()
    }
    return told
  }

  @Test func aChangeIsToldToWhoeverTracksAReading() {
    let producer = Producer<Int, Never>()
    let feed = Feed(.newest(10), start: producer.start)
    let counters = feed.counters
    let started = track { counters.consumers }
    let follower = stage.follow(feed)
    #expect(started.count == 1)
    let sent = track { counters.counts }
    producer.input.send(1)
    #expect(sent.count == 1)
    #expect(counters.counts.received == 1)
    stage.settle()
    let ended = track { counters.counts }
    follower.cancel()
    #expect(ended.count == 1)
  }

  @Test func elementsDoNotPayForAnObserverThatDoesNotReadAgain() {
    let producer = Producer<Int, Never>()
    let feed = Feed(.newest(10), start: producer.start)
    let follower = stage.follow(feed)
    let input = producer.input
    let told = Tally()
    let counters = feed.counters
    @Sendable func look() {
      withObservationTracking {
        _ = counters.consumers
      } onChange: {
        told.increment()
      }
    }
    look()
    for _ in 0..<1_000 { input.send(1) }
    #expect(told.count == 1, "it is told once for each reading")
    follower.cancel()
  }

  @Test func countsAreSharedByTheRunsOfAFeed() {
    let producer = Producer<Int, Never>()
    let feed = Feed(.newest(10), name: "prices", key: 7, start: producer.start)
    for run in 0..<3 {
      let follower = stage.follow(feed)
      producer[run].send(run)
      stage.settle()
      follower.cancel()
    }
    #expect(feed.counters.counts.received == 3)
    #expect(feed.counters.counts.restarts == 2)
    #expect(feed.counters.name == "prices" && feed.counters.key == "7")
  }

  @Test func aBoardSharesCountsByNameAndKey() {
    let board = FeedBoard()
    let producer = Producer<Int, Never>()
    func feed(_ key: Int) -> Feed<Int, Never> {
      Feed(.newest(10), name: "room", key: key, board: board, start: producer.start)
    }
    for key in [1, 2, 1] {
      let follower = stage.follow(feed(key))
      producer.input.send(key)
      stage.settle()
      follower.cancel()
    }
    #expect(board.feeds.map(\.key) == ["1", "2"])
    #expect(board.counters("room", key: 1)?.counts.received == 2)
    #expect(board.counters("room", key: 1)?.counts.restarts == 1)
    #expect(board.counters("room", key: 2)?.counts.restarts == 0)
    #expect(board.total.received == 3)
  }

  @Test func aBoardTellsOfWhatIsListed() {
    let board = FeedBoard(keepingEnded: 0)
    let listed = track { board.feeds.count }
    let follower = stage.follow(
      Feed<Int, Never>(.newest(1), name: "a", board: board) { input in { _ = input } })
    #expect(listed.count == 1)
    #expect(board.feeds.count == 1)
    let gone = track { board.forgotten }
    follower.cancel()
    #expect(gone.count == 1)
    #expect(board.feeds.isEmpty)
  }

  @Test("G8: a hundred thousand keys that come and go leave the last few, and an exact total")
  func g8() async {
    let board = FeedBoard(keepingEnded: 10)
    for key in 0..<100_000 {
      let feed = Feed<Int, Never>(.newest(4), name: "key", key: key, board: board) { input in
        input.send(key)
        return {}
      }
      for await _ in feed {}
    }
    #expect(board.feeds.count == 10)
    #expect(board.total.received == 100_000)
    #expect(board.total.delivered == 100_000)
    #expect(board.counters("key", key: 99_999) != nil)
    #expect(board.counters("key", key: 99_989) == nil)
  }

  @Test func aKeyThatRunsIsNeverForgotten() {
    let board = FeedBoard(keepingEnded: 1)
    let producer = Producer<Int, Never>()
    let first = stage.follow(
      Feed(.newest(1), name: "first", board: board, start: producer.start))
    for key in 0..<100 {
      stage.follow(
        Feed(.newest(1), name: "other", key: key, board: board, start: producer.start)
      ).cancel()
    }
    #expect(board.feeds.map(\.name) == ["first", "other"])
    first.cancel()
  }

  @Test func keysThatAreOnlyLookedAtAreForgottenToo() {
    let board = FeedBoard(keepingEnded: 3)
    for key in 0..<50 {
      let feed = Feed(
        .newest(1), name: "n", key: key, board: board, start: Producer<Int, Never>().start)
      #expect(feed.counters === board.counters("n", key: key))
    }
    #expect(board.feeds.map(\.key) == ["47", "48", "49"])
  }

  @Test func anObserverThatTracksAgainIsToldByOneThreadAtATime() async {
    let told = Tally()
    let teller = Teller()
    let inside = Inside()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2_000 {
            teller.tell { _ in
              inside.enter()
              told.increment()
              inside.leave()
            }
          }
        }
      }
    }
    #expect(inside.most == 1)
    #expect((1...8_000).contains(told.count))
  }
}

/// Counts who is in a place at one time.
private final class Inside: Sendable {
  private let state = Lock((now: 0, most: 0))

  var most: Int { state.withLock { $0.most } }

  func enter() {
    state.withLock { state in
      state.now += 1
      state.most = max(state.most, state.now)
    }
  }

  func leave() {
    state.withLock { $0.now -= 1 }
  }
}
