import AsyncFeedback
import Testing

@Suite("Law 3: order of reactions", .timeLimit(.minutes(10)))
struct Law03Tests {
  private static func isOutside(_ event: Int) -> Int? {
    event >= 100 ? event : nil
  }

  @Test(arguments: Venue.allCases)
  func synchronousBodiesAnswerInTheOrderOfTheirDeclaration(venue: Venue) async {
    let system = Trace.appending([
      Feedback.on(Self.isOutside) { _ in 1 },
      Feedback(.filter { ($0.last ?? 0) >= 100 }) { _ in 2 },
      Feedback.request({ $0.last.flatMap { $0 >= 100 ? $0 : nil } }, policy: .overlapping) { _ in
        3
      },
      Feedback(.onChanged({ $0.filter { $0 >= 100 }.count }), policy: .overlapping) { state in
        state.isEmpty ? nil : 4
      },
    ])
    let context = Context(state: [], system: system, executor: venue.executor())
    let running = context.start()
    await context.send(100).settled()
    #expect(await context.state == [100, 1, 2, 4])
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func bodiesThatNeverSuspendAnswerInTheOrderOfTheirDeclaration(venue: Venue) async {
    @Sendable func answer(_ number: Int) async -> Int? { number }
    let system = Trace.appending([
      Feedback.on(Self.isOutside) { _ in await answer(1) },
      Feedback.on(Self.isOutside) { _, send in
        send(2)
        send(3)
      },
      Feedback(.filter { ($0.last ?? 0) >= 100 }) { _ in await answer(4) },
      Feedback.on(Self.isOutside) { _ in await answer(5) },
    ])
    let context = Context(state: [], system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    for number in 0..<20 { await context.send(100 + number).settled() }
    #expect(await context.state == (0..<20).flatMap { [100 + $0, 1, 2, 3, 4, 5] })
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func bodiesWithATimeLimitKeepTheOrder(venue: Venue) async {
    let system = Trace.appending(
      (1...5).map { number in
        Feedback.on(Self.isOutside, name: "body \(String(number))") { _ async in number }
          .timingOut(after: .seconds(100))
      })
    let context = Context(state: [], system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    for number in 0..<50 { await context.send(100 + number).settled() }
    #expect(await context.state == (0..<50).flatMap { [100 + $0, 1, 2, 3, 4, 5] })
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func synchronousAnswersComeBeforeThoseOfRuns(venue: Venue) async {
    @Sendable func answer(_ number: Int) async -> Int? { number }
    let system = Trace.appending([
      Feedback.on(Self.isOutside) { _ in await answer(1) },
      Feedback.on(Self.isOutside) { _ in 2 },
    ])
    let context = Context(state: [], system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    await context.send(100).settled()
    #expect(await context.state == [100, 2, 1])
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func anAnswerGoesToTheEndOfTheQueue(venue: Venue) async {
    let outside = Handover<Context<Trace>>()
    let monitor = WordMonitor { line in
      guard line == "event 100" else { return }
      outside.value?.send(101)
      outside.value?.send(102)
    }
    let system = Trace.appending([Feedback.on(Self.isOutside) { $0 - 100 + 1 }])
    let context = Context(
      state: [], system: system, executor: venue.executor(), monitor: monitor)
    outside.value = context
    let running = context.start()
    await context.quiet()
    await context.send(100).settled()
    #expect(await context.state == [100, 101, 102, 1, 2, 3])
    outside.value = nil
    running.stop()
    await running.ended()
  }

  @MainActor @Test func aSynchronousAnswerIsReducedBeforeTheSendReturns() async {
    let system = Trace.appending([Feedback.on(Self.isOutside) { $0 - 100 + 1 }])
    let context = Context(state: [], system: system)
    let running = context.start()
    await context.quiet()
    context.send(100)
    #expect(context[\.self] == [100, 1])
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func feedbacksAreEvaluatedAfterEachTransition(venue: Venue) async {
    let journal = Journal<Int>()
    let system = Sum.adding([
      Feedback(.onChanged(\.self)) { state in
        journal.note(state)
        return nil
      }
    ])
    let context = Context(state: 0, system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    for _ in 0..<500 { context.send(1) }
    await context.send(1).value
    #expect(journal.entries == Array(0...501))
    running.stop()
    await running.ended()
  }
}
