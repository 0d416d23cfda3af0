import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Feed: what monitors see") struct FeedMonitoringTests {
  struct Fields: Sendable {
    var room: Int?
    var messages: [String] = []
  }

  /// Keeps the reports.
  private struct ReportMonitor: FeedMonitor {
    let reports = Journal<FeedReport>()
    let intervals = Journal<String>()
    func receive(_ report: FeedReport) { reports.note(report) }
    func begin(_ interval: FeedInterval) { intervals.note("begin \(interval.name)") }
    func end(_ interval: FeedInterval) { intervals.note("end \(interval.name)") }
  }

  private let stage = FeedStage()

  @Test func aMonitorOutsideAContextSeesARun() {
    let monitor = ReportMonitor()
    let producer = Producer<Int, Never>()
    let feed = Feed(
      .newest(2), name: "n", key: "k", monitor: monitor, start: producer.start)
    let gate = Gate()
    let task = stage.perform {
      for await _ in feed { await gate.passUncancelled() }
    }
    producer.input.send(0)
    stage.settle()
    for number in 1...5 { producer.input.send(number) }
    #expect(monitor.reports.entries.map(\.kind) == [.started, .gapBegan])
    gate.open()
    stage.settle()
    #expect(monitor.reports.entries.map(\.kind) == [.started, .gapBegan, .gapEnded(3)])
    task.cancel()
    stage.settle()
    var counts = FeedCounts()
    counts.received = 6
    counts.delivered = 3
    counts.dropped = 3
    counts.highWaterMark = 2
    #expect(monitor.reports.entries.last?.kind == .stopped(counts))
    #expect(monitor.reports.entries.allSatisfy { $0.name == "n" && $0.key == "k" })
    stage.follow(feed).cancel()
    #expect(monitor.reports.entries.map(\.kind).contains(.restarted(1)))
  }

  @Test func theHighWaterMarkIsToldAtPowersOfTwo() {
    let monitor = ReportMonitor()
    let producer = Producer<Int, Never>()
    let feed = Feed(.newest(100), monitor: monitor, start: producer.start)
    let follower = stage.follow(feed)
    for number in 0..<70 { producer.input.send(number) }
    #expect(
      monitor.reports.entries.map(\.kind)
        == [.started, .highWaterMark(16), .highWaterMark(32), .highWaterMark(64)])
    follower.cancel()
  }

  @Test func consumersAtOnceAreReported() {
    let monitor = ReportMonitor()
    let board = FeedBoard()
    let producer = Producer<Int, Never>()
    func feed(_ key: Int) -> Feed<Int, Never> {
      Feed(
        .newest(2), name: "n", key: key, board: board, monitor: monitor, start: producer.start)
    }
    let followers = [stage.follow(feed(1)), stage.follow(feed(2)), stage.follow(feed(1))]
    let reports = monitor.reports.entries.filter { $0.kind == .consumersAtOnce(2) }
    #expect(reports.map(\.key) == ["1"])
    #expect(board.counters("n", key: 1)?.consumers == 2)
    for follower in followers { follower.cancel() }
    #expect(board.counters("n", key: 1)?.consumers == 0)
  }

  @Test func aContextsMonitorSeesTheFeedsOfItsRuns() {
    let monitor = WordMonitor()
    let producer = Producer<Int, Never>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(), monitor: monitor) { _ in
      Feedback.stream(\.room, name: "room") { room in
        Feed(.newest(2), name: "messages", key: room, start: producer.start).map { "\($0)" }
      } event: { message in
        Change { $0.messages.append(message) }
      }
    }
    rehearsal.run()
    rehearsal.set(\.room, 1)
    rehearsal.perform { producer.input.send(1) }
    // Three come before the run gets its turn.
    for number in 2...4 { producer.input.send(number) }
    rehearsal.executor.runUntilIdle()
    rehearsal.set(\.room, 2)
    rehearsal.set(\.room, nil)
    #expect(rehearsal.state.messages == ["1", "3", "4"])
    let feeds = monitor.lines("feed").map { $0.replacing("feed room feed messages", with: "") }
    #expect(
      feeds == [
        "[1] started", "[1] begins to drop elements", "[1] has dropped 1",
        "[1] stopped: 4 received, 3 delivered, 1 dropped, 0 coalesced, 0 abandoned, at most 2 waiting",
        "[2] started",
        "[2] stopped: 0 received, 0 delivered, 0 dropped, 0 coalesced, 0 abandoned, at most 0 waiting",
      ])
  }

  @Test func feedsOfAContextWithoutAMonitorReportToNobody() {
    let producer = Producer<Int, Never>()
    let seen = Journal<Bool>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { _ in
      Feedback.stream { () -> Feed<Int, Never> in
        Feed(.newest(2)) { input in
          seen.note(FeedLink.current == nil)
          return producer.start(input)
        }
      } event: { number in
        Change { $0.messages.append("\(number)") }
      }
    }
    rehearsal.run()
    #expect(seen.entries == [true])
    rehearsal.perform { producer.input.send(1) }
    #expect(rehearsal.state.messages == ["1"])
  }

  @Test func linesToReadAreMadeOfReportsAndIntervals() {
    let lines = Journal<String>()
    let monitor = PrintMonitor { lines.note($0) }
    let producer = Producer<Int, Never>()
    let follower = stage.follow(
      Feed(.newest(2), name: "n", monitor: monitor, start: producer.start))
    follower.cancel()
    #expect(lines.entries.first == "feed n started")
    lines.clear()
    let number = monitor.interval("parse") { Int("42") }
    #expect(number == 42)
    #expect(lines.entries.map { String($0.prefix(14)) } == ["interval parse", "interval parse"])
  }

  @Test func anIntervalEndsAlsoWithAnError() {
    let monitor = ReportMonitor()
    #expect(throws: Failure.self) {
      try monitor.interval("diff") { () throws(Failure) in throw Failure() }
    }
    let interval = monitor.beginInterval("render")
    monitor.end(interval)
    #expect(monitor.intervals.entries == ["begin diff", "end diff", "begin render", "end render"])
    #expect(FeedInterval("a").number != FeedInterval("a").number)
  }

  @Test func aStreamOfAFeedIsQuietWhileItWaits() async {
    let producer = Producer<Int, Never>()
    let context = TestContext(
      state: Fields(),
      system: ChangeSystem<Fields> {
        Feedback.stream { () -> Feed<Int, Never> in
          Feed(.newest(2), start: producer.start)
        } event: { number in
          Change { $0.messages.append("\(number)") }
        }
      })
    await context.run().settle()
    producer.input.send(1)
    await context.settle()
    #expect(context.state.messages == ["1"])
    context.finish()
    #expect(producer.log.entries == ["start", "stop"])
  }

  @Test func consumersOfOneKeyInAContextAreReportedWithoutABoard() {
    let monitor = WordMonitor()
    let producer = Producer<Int, Never>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(), monitor: monitor) { _ in
      for name in ["first", "second"] {
        Feedback.stream(\.room, name: name) { room in
          Feed(.newest(2), name: "messages", key: room, start: producer.start)
        } event: { _ in
          nil
        }
      }
    }
    rehearsal.run()
    rehearsal.set(\.room, 1)
    rehearsal.set(\.room, nil)
    rehearsal.set(\.room, 2)
    let reports = monitor.lines("feed").filter { $0.contains("2 consumers at once") }
    #expect(reports.map { $0.contains("[1]") } == [true, false])
  }
}
