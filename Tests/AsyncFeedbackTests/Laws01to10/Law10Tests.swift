import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Law 10: stop and start again", .timeLimit(.minutes(10)))
struct Law10Tests {
  private struct Row: Sendable, Identifiable, Equatable {
    let id: Int
  }

  private enum Event: Sendable, Equatable {
    case counted(Int)
    case rowsChanged([Int])
    case noted(String)
  }

  private struct State: Sendable {
    var count = 0
    var rows: [Row] = []
    var notes: [String] = []
  }

  private typealias Subject = ClosureSystem<State, Event>
  private let begun = Tally()
  private let journal = Journal<String>()
  private let gate = Gate()

  private func subject(_ feedbacks: [Feedback<Subject>]) -> Subject {
    Subject(
      { state, event in
        switch event {
        case .counted(let count): state.count = count
        case .rowsChanged(let ids): state.rows = ids.map(Row.init)
        case .noted(let note): state.notes.append(note)
        }
      }, feedbacks: feedbacks)
  }

  private func count(_ event: Event) -> Int? {
    if case .counted(let count) = event { count } else { nil }
  }

  /// Notes that a body begins, and suspends until it is let go on or cancelled.
  private func begin(_ note: String) async -> Event? {
    journal.note(note)
    begun.increment()
    await gate.pass()
    return .noted(note)
  }

  /// Runs a loop until so many bodies have begun, and stops it.
  private func cutOff(_ context: Context<Subject>, after count: Int) async {
    let target = begun.count + count
    let running = context.start()
    await begun.reaches(target)
    running.stop()
    await running.ended()
  }

  /// Runs a loop until it is quiet, and stops it.
  private func runToTheEnd(_ context: Context<Subject>) async {
    let running = context.start()
    await context.quiet()
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func whatWasSentWhileStoppedIsReducedFirstAtTheStart(venue: Venue) async {
    let system = subject([
      Feedback(.onChanged(\.count)) { state in
        journal.note("\(state.count)")
        return .noted("answer to \(state.count)")
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    for number in 1...3 { context.send(.counted(number)) }
    context.send(.noted("sent"))
    #expect(await context.state.count == 0)
    await runToTheEnd(context)
    for number in 4...6 { context.send(.counted(number)) }
    #expect(await context.state.count == 3)
    await runToTheEnd(context)
    #expect(journal.entries == ["3", "6"])
    #expect(await context.state.notes == ["sent", "answer to 3", "answer to 6"])
  }

  private var edges: [Feedback<Subject>] {
    [
      Feedback(.once) { _ in await begin("once") },
      Feedback(.onChanged(\.count)) { _ in await begin("changed") },
      Feedback(.filter { $0.count == 1 && $0.notes.isEmpty }) { _ in await begin("filter") },
    ]
  }

  private var levels: [Feedback<Subject>] {
    [
      Feedback(.while { $0.count == 1 }) { _ in await begin("while") },
      Feedback.request({ $0.count == 1 ? 1 : nil }) { _ in await begin("request") },
      Feedback.each(\.rows) { row in await begin("each \(row.id)") },
    ]
  }

  @Test(arguments: Venue.allCases)
  func theTriggersOfWhatWasCutOffAreEvaluatedAnew(venue: Venue) async {
    let all = ["once", "changed", "filter", "while", "request", "each 1", "each 2"]
    let context = Context(
      state: State(count: 1, rows: [Row(id: 1), Row(id: 2)]), system: subject(edges + levels),
      executor: venue.executor())
    await cutOff(context, after: all.count)
    await cutOff(context, after: all.count)
    gate.open()
    await runToTheEnd(context)
    #expect(journal.entries.count == 3 * all.count)
    #expect(Set(journal.entries) == Set(all))
    #expect(await context.state.notes.sorted() == all.sorted())
  }

  @Test(arguments: Venue.allCases)
  func whatHasFinishedIsNotRepeated(venue: Venue) async {
    let context = Context(
      state: State(count: 1, rows: [Row(id: 1), Row(id: 2)]), system: subject(edges + levels),
      executor: venue.executor())
    gate.open()
    await runToTheEnd(context)
    let notes = await context.state.notes
    await runToTheEnd(context)
    await runToTheEnd(context)
    #expect(await context.state.notes == notes)
  }

  @Test(arguments: Venue.allCases)
  func theOthersAreEvaluatedAnewOnlyIfTheyStillHold(venue: Venue) async {
    let context = Context(
      state: State(count: 1, rows: [Row(id: 1), Row(id: 2)]), system: subject(edges + levels),
      executor: venue.executor())
    await cutOff(context, after: 7)
    context.send(.counted(0))
    context.send(.rowsChanged([2]))
    gate.open()
    await runToTheEnd(context)
    #expect(await context.state.notes.sorted() == ["changed", "each 2", "once"])
  }

  @Test(arguments: Venue.allCases)
  func aLevelThatWasEnteredWhileStoppedBeginsAtTheStart(venue: Venue) async {
    let context = Context(
      state: State(), system: subject(levels + [edges[2]]), executor: venue.executor())
    gate.open()
    await runToTheEnd(context)
    #expect(journal.entries.isEmpty)
    context.send(.counted(1))
    context.send(.rowsChanged([3]))
    await runToTheEnd(context)
    #expect(Set(journal.entries) == ["while", "request", "each 3", "filter"])
  }

  @Test(arguments: Venue.allCases)
  func triggersThatWaitInAQueueSurvive(venue: Venue) async {
    let system = subject([
      Feedback.on(count, policy: .queued) { count in await begin("\(count)") }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    for number in 1...3 { context.send(.counted(number)) }
    await context.send(.noted("sent")).value
    await begun.reaches(1)
    running.stop()
    await running.ended()
    gate.open()
    await runToTheEnd(context)
    // The payload in flight is not repeated.
    #expect(await context.state.notes == ["sent", "2", "3"])
  }

  @Test(arguments: Venue.allCases)
  func eventsThatAFinishedRunLeftInTheQueueAreKept(venue: Venue) async {
    let running = Handover<Running>()
    let monitor = WordMonitor { line in
      if line == "answered body noted(\"answer\")" { running.value?.stop() }
    }
    let system = subject([
      Feedback.on(count, name: "body") { _ in .noted("answer") }
    ])
    let context = Context(
      state: State(), system: system, executor: venue.executor(), monitor: monitor)
    let first = context.start()
    running.value = first
    context.send(.counted(1))
    await first.ended()
    running.value = nil
    #expect(await context.state.notes.isEmpty)
    await runToTheEnd(context)
    #expect(await context.state.notes == ["answer"])
  }

  @Test(arguments: Venue.allCases)
  func severalLoopsAreOne(venue: Venue) async {
    let system = subject([
      Feedback(.once) { _ in .noted("once") },
      Feedback(.onChanged(\.count)) { .noted("\($0.count)") },
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let first = Task { await context.runFeedbackLoop() }
    let second = context.start()
    await context.send(.counted(1)).settled()
    first.cancel()
    await first.value
    #expect(context.isRunning)
    await context.send(.counted(2)).settled()
    let third = context.start()
    second.stop()
    await second.ended()
    await context.send(.counted(3)).settled()
    #expect(await context.state.notes.filter { $0 == "once" }.count == 1)
    #expect(await Array(context.state.notes.suffix(2)) == ["2", "3"])
    third.stop()
    #expect(!context.isRunning)
    await third.ended()
  }

  @Test(arguments: [true, false])
  func aTriggerThatWaitsForItsPaceIsCutOffButOneThatWentOnIsNot(isWaiting: Bool) async {
    let executor = DeterministicExecutor()
    let clock = TestClock()
    let system = subject([
      Feedback(.onChanged(\.count)) { state async in .noted("\(state.count)") }
        .debounced(for: .seconds(1), clock: clock)
    ])
    let context = Context(state: State(), system: system, executor: .serial(executor))
    func advance() {
      clock.advance(by: .seconds(1))
      executor.runUntilIdle()
    }
    let first = context.start()
    executor.runUntilIdle()
    if !isWaiting { advance() }
    first.stop()
    executor.runUntilIdle()
    let second = context.start()
    executor.runUntilIdle()
    advance()
    advance()
    second.stop()
    let state = Task(executorPreference: executor) { await context.state }
    executor.runUntilIdle()
    #expect(await state.value.notes == ["0"])
  }

  @MainActor @Test func aStopAndAStartInOneStretchCutOffAndEvaluateAnew() async {
    let context = Context(state: State(), system: subject([edges[0]]))
    let first = context.start()
    await begun.reaches(1)
    first.stop()
    let second = context.start()
    gate.open()
    await context.quiet()
    #expect(context.notes == ["once"])
    #expect(journal.entries == ["once", "once"])
    second.stop()
    await first.ended()
    await second.ended()
  }
}
