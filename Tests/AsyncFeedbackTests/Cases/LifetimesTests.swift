import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Cases B: starts and ends", .timeLimit(.minutes(10)))
struct LifetimesTests: LifetimesSuite {
  private let begun = Tally()
  private let gate = Gate()

  private func name(_ event: Event) -> String? {
    if case .requested(let name?) = event { name } else { nil }
  }

  @MainActor
  @Test("B7: what is cancelled before it started never runs")
  func cancelledBeforeItStarted() async {
    let system = subject([
      Feedback.request(\.request) { _ async in
        begun.increment()
        return nil
      }
    ])
    let context = Context(state: State(), system: system)
    let running = context.start()
    await context.quiet()
    // One stretch: nothing of the loop's gets in between.
    context.send(.requested("a"))
    context.send(.requested(nil))
    await context.quiet()
    #expect(begun.count == 0)
    #expect(context.driver.aliveRuns.isEmpty)
    running.stop()
    await running.ended()
  }

  @Test(
    "B7: three that wait behind a limit of one never run once their level is left",
    arguments: Venue.allCases)
  func threeThatWait(venue: Venue) async {
    let system = subject([
      Feedback.request(\.request, policy: .overlapping(limit: 1)) { _ in
        begun.increment()
        await gate.passUncancelled()
        return .answered("late")
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    context.send(.requested("a"))
    await begun.reaches(1)
    for name in ["b", "c", "d"] { await context.send(.requested(name)).value }
    #expect(await context.perform { $0.driver.aliveRuns.count } == 4)
    await context.send(.requested(nil)).value
    gate.open()
    await context.quiet()
    #expect(begun.count == 1)
    #expect(await context.state.answers.isEmpty)
    #expect(await context.perform { $0.driver.aliveRuns.isEmpty })
    running.stop()
    await running.ended()
  }

  @Test(
    "B10: rows run side by side, and within one row only the latest counts",
    arguments: Venue.allCases)
  func siblingRows(venue: Venue) async {
    struct Item: Sendable, Identifiable, Equatable {
      let id: Int
      var version = 0
    }
    typealias Items = ClosureSystem<
      (items: [Item], results: [String]), (items: [Item], result: String?)
    >
    let system = Items(
      { state, event in
        state.items = event.items.isEmpty ? state.items : event.items
        if let result = event.result { state.results.append(result) }
      },
      feedbacks: [
        Feedback.each({ $0.items }, name: "row") { item in
          begun.increment()
          await gate.passUncancelled()
          return ([], "\(item.id).\(item.version)")
        }
      ])
    let context = Context(state: ([], []), system: system, executor: venue.executor())
    let running = context.start()
    var items = (0..<10).map { Item(id: $0) }
    context.send((items, nil))
    await begun.reaches(10)
    items[3].version = 1
    context.send((items, nil))
    await begun.reaches(11)
    gate.open()
    await context.quiet()
    let expected = (0..<10).map { $0 == 3 ? "3.1" : "\($0).0" }
    #expect(await context.state.results.sorted() == expected)
    running.stop()
    await running.ended()
  }

  @Test(
    "B11: when the owner goes, its work is cancelled and the context is gone",
    arguments: Venue.allCases)
  func releasedOwner(venue: Venue) async {
    let clock = TestClock()
    let cancelled = Gate()
    let ended = Gate()
    let system = subject([
      Feedback(.once) { _ in
        begun.increment()
        await withTaskCancellationHandler {
          try? await clock.sleep(for: .seconds(1))
        } onCancel: {
          cancelled.open()
        }
        ended.open()
        return .answered("late")
      }
    ])
    var context: Context? = Context(state: State(), system: system, executor: venue.executor())
    guard let reference = context.map(WeakReference.init) else { return }
    var running = context?.start()
    await begun.reaches(1)
    running = nil
    context = nil
    #expect(reference.object == nil)
    #expect(running == nil)
    await cancelled.pass()
    await ended.pass()
    #expect(clock.now == .zero)
  }

  @Test("B13: the next run starts when the one before has cleaned up", arguments: Venue.allCases)
  func exclusiveResource(venue: Venue) async {
    let journal = Journal<String>()
    let system = subject([
      Feedback.request(\.request, policy: .latest(.afterCleanup)) { name in
        journal.note("open \(name)")
        begun.increment()
        await gate.pass()
        // The cleanup suspends.
        await Task.detached {}.value
        journal.note("close \(name)")
        return nil
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    context.send(.requested("1"))
    await begun.reaches(1)
    context.send(.requested("2"))
    await begun.reaches(2)
    context.send(.requested(nil))
    await context.quiet()
    #expect(journal.entries == ["open 1", "close 1", "open 2", "close 2"])
    running.stop()
    await running.ended()
  }

  @Test(
    "B21: a feedback that never answers sees every change until it is cancelled",
    arguments: Venue.allCases)
  func feedbackWithoutEvents(venue: Venue) async {
    let synchronous = Journal<String>()
    let queued = Journal<String>()
    let handed = Journal<Int>()
    let system = subject([
      Feedback(.onChanged(\.request)) { state in
        synchronous.note(state.request ?? "none")
        return nil
      },
      Feedback.on(name, policy: .queued) { name async in
        queued.note(name)
        return nil
      },
      Feedback.eachUpdating(\.rows) { rows, _ in
        for await row in rows {
          handed.note(row.id)
          begun.increment()
        }
        handed.note(-1)
      },
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    let names = (0..<100).map { "\($0)" }
    for name in names { await context.send(.requested(name)).settled() }
    #expect(synchronous.entries == ["none"] + names)
    #expect(queued.entries == names)
    context.send(.rowsChanged([7]))
    await begun.reaches(1)
    context.send(.rowsChanged([]))
    await context.quiet()
    #expect(handed.entries == [7, -1])
    running.stop()
    await running.ended()
    context.send(.requested("later"))
    #expect(synchronous.entries.count == 101)
  }
}
