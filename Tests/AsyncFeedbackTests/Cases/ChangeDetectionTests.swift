import AsyncFeedback
import Testing

@Suite("Cases D: triggers and levels", .timeLimit(.minutes(10)))
struct ChangeDetectionLevelTests {
  @Test(
    "D1: a condition that is true from the start starts at once and is cancelled at its end",
    arguments: Venue.allCases)
  func conditionTrueAtTheStart(venue: Venue) async {
    let begun = Tally()
    let cancelled = Gate()
    let gate = Gate()
    let system = Sum.adding([
      Feedback(.while { $0 < 1 }) { _ in
        begun.increment()
        await gate.pass()
        if Task.isCancelled { cancelled.open() }
        return nil
      }
    ])
    let context = Context(state: 0, system: system, executor: venue.executor())
    let running = context.start()
    await begun.reaches(1)
    context.send(1)
    await cancelled.pass()
    await context.quiet()
    #expect(begun.count == 1)
    running.stop()
    await running.ended()
  }

  @Test("D1: every other trigger sees the initial state too", arguments: Venue.allCases)
  func otherTriggersSeeTheInitialState(venue: Venue) async {
    struct Row: Sendable, Identifiable, Equatable { let id: Int }
    typealias Subject = ClosureSystem<[String], String>
    let system = Subject(
      { $0.append($1) },
      feedbacks: [
        Feedback(.once) { _ in "once" },
        Feedback(.onChanged({ $0.first })) { _ in "changed" },
        Feedback(.filter { $0.isEmpty }) { _ in "filter" },
        Feedback.request({ $0.contains("request") ? nil : 1 }) { _ in "request" },
        Feedback.each({ $0.contains("each") ? [] : [Row(id: 1)] }) { _ in "each" },
      ])
    let context = Context(state: [], system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    // The first answer changes what `onChanged` watches, so its own first answer loses its lease.
    #expect(await context.state == ["once", "filter", "request", "each", "changed"])
    running.stop()
    await running.ended()
  }

  @Test(
    "D2: a level that feeds itself stops where it ends", arguments: Venue.allCases, [false, true])
  func levelThatFeedsItself(venue: Venue, sendsAllAtOnce: Bool) async {
    let monitor = WordMonitor()
    let system = Sum.adding([
      Feedback(.while { $0 < 2 }, name: "feed") { _, send in
        for _ in 0..<7 {
          if sendsAllAtOnce { send(1) } else { await send(1).value }
        }
      }
    ])
    let context = Context(
      state: 0, system: system, executor: venue.executor(), monitor: monitor)
    let running = context.start()
    await context.quiet()
    running.stop()
    await running.ended()
    #expect(monitor.lines("state") == ["state 1", "state 2"])
    #expect(monitor.lines("dropped").count == 5)
  }

  private struct Pair: Sendable {
    var a = 1.0
    var b = 1.0
    var other = 0
  }

  @Test("D4: a pair is one trigger, with any comparison", arguments: Venue.allCases)
  func pair(venue: Venue) async {
    let both = Journal<Double>()
    let close = Journal<Double>()
    let system = ClosureSystem<Pair, Pair>(
      { $0 = $1 },
      feedbacks: [
        Feedback(.onChanged(\.a, \.b)) { state in
          both.note(state.a + state.b)
          return nil
        },
        Feedback(
          .onChanged({ ($0.a, $0.b) }, by: { abs($0.0 - $1.0) < 0.5 && abs($0.1 - $1.1) < 0.5 })
        ) { state in
          close.note(state.a + state.b)
          return nil
        },
      ])
    let context = Context(state: Pair(), system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    await context.send(Pair(a: 2, b: 3)).settled()
    await context.send(Pair(a: 2, b: 3, other: 1)).settled()
    await context.send(Pair(a: 2.1, b: 3, other: 1)).settled()
    #expect(both.entries == [2, 5, 5.1])
    #expect(close.entries == [2, 5])
    running.stop()
    await running.ended()
  }

  @Test(
    "D9: the state is what an independent test builds, whatever has happened",
    arguments: Venue.allCases)
  func noHiddenBookkeeping(venue: Venue) async {
    struct Content: Sendable, Equatable {
      var text = ""
      var rows: [String] = []
    }
    let system = ClosureSystem<Content, String>(
      {
        $0.text = $1
        $0.rows.append($1)
      },
      feedbacks: [
        Feedback(.onChanged(\.text)) { $0.text == "a" ? "b" : nil },
        Feedback(.onChanged(\.rows)) { state async in state.rows.count == 2 ? "c" : nil },
      ])
    for _ in 0..<2 {
      let context = Context(state: Content(), system: system, executor: venue.executor())
      let running = context.start()
      await context.send("a").settled()
      running.stop()
      await running.ended()
      #expect(await context.state == Content(text: "c", rows: ["a", "b", "c"]))
    }
  }
}
