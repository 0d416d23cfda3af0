import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What a body sees of the task it runs in.
struct Surroundings: Sendable, Equatable {
  @TaskLocal static var label = "nobody"
  @TaskLocal static var second = "unset"

  var label: String
  var second: String
  var priority: TaskPriority

  static var here: Self { Self(label: label, second: second, priority: Task.currentPriority) }
}

@MainActor @Suite("Law 19: a body sees the loop's task-local values and priority")
struct Law19WhatABodySeesTests {
  struct Fields: Sendable {
    var count = 0
    var isOn = false
    var request: Int?
    var rows: [Row] = []
    var answered = 0
  }

  struct Row: Identifiable, Equatable, Sendable { let id: Int }

  typealias System = ChangeSystem<Fields>

  private static let loop = Surroundings(
    label: "loop", second: "loop too", priority: .userInitiated)

  /// A loop in a task with values and a priority of its own.
  private func run(_ context: Context<System>) async -> Task<Void, Never> {
    let started = Signal()
    let loop = Task(priority: .userInitiated) {
      await Surroundings.$label.withValue("loop") {
        await Surroundings.$second.withValue("loop too") {
          // The loop has begun before the test gets the main actor back.
          started.give()
          await context.runFeedbackLoop()
        }
      }
    }
    _ = await started.wait()
    await context.quiet()
    return loop
  }

  private func makeContext(
    _ seen: Journal<Surroundings>, executor: ContextExecutor = .main
  ) -> Context<System> {
    Context(
      state: Fields(),
      system: System {
        Feedback(.onChanged(\.count)) { _ in seen.note(.here, answering: nil) }
        Feedback(.onChanged(\.count)) { _ async in seen.note(.here, answering: nil) }
        Feedback(.onChanged(\.count)) { _, send in
          seen.note(.here)
          send(Change { $0.answered += 1 })
        }
        Feedback(.while(\.isOn)) { _ in seen.note(.here, answering: nil) }
        Feedback(.while(\.isOn)) { _ async in seen.note(.here, answering: nil) }
        Feedback.request(\.request) { _ in seen.note(.here, answering: nil) }
        Feedback.each(\.rows) { _ in seen.note(.here, answering: nil) }
        Feedback.each(\.rows) { _ async in seen.note(.here, answering: nil) }
        Feedback.on({ _ in 0 }) { _ in seen.note(.here, answering: nil) }
        Feedback.on({ _ in 0 }) { _ async in seen.note(.here, answering: nil) }
      }, executor: executor)
  }

  private func expectOnlyTheLoop(_ seen: Journal<Surroundings>, count: Int) {
    #expect(seen.entries.count == count)
    #expect(seen.entries.allSatisfy { $0 == Self.loop }, "\(seen.entries)")
    seen.clear()
  }

  @Test func bodiesOfTheFirstPassSeeTheLoop() async {
    let seen = Journal<Surroundings>()
    let context = makeContext(seen)
    let loop = await run(context)
    // The answer of the body that sends is an event, for which the two `on` run.
    expectOnlyTheLoop(seen, count: 5)
    loop.cancel()
    await loop.value
  }

  @Test func aSendInPlaceShowsNothingOfItsSender() async {
    let seen = Journal<Surroundings>()
    let context = makeContext(seen)
    let loop = await run(context)
    seen.clear()
    await Surroundings.$label.withValue("sender") {
      Surroundings.$second.withValue("right around the send") {
        context.send(Change { $0.count += 1 })
        #expect(Surroundings.here.label == "sender")
        #expect(Surroundings.here.second == "right around the send")
      }
      await context.quiet()
    }
    expectOnlyTheLoop(seen, count: 3 + 2 + 2)
    Surroundings.$second.withValue("again") {
      context.send(
        Change {
          $0.isOn = true
          $0.request = 1
          $0.rows = [Row(id: 1), Row(id: 2)]
        })
    }
    await context.quiet()
    expectOnlyTheLoop(seen, count: 2 + 1 + 4 + 2)
    loop.cancel()
    await loop.value
  }

  @Test func aSenderOfAnotherPriorityIsNotSeen() async {
    let seen = Journal<Surroundings>()
    let context = makeContext(seen)
    let loop = await run(context)
    seen.clear()
    await Task.detached(priority: .background) {
      await Surroundings.$label.withValue("background") {
        await MainActor.run { context.send(Change { $0.count += 1 }) }.settled()
        context.send(Change { $0.count += 1 })
        await context.quiet()
      }
    }.value
    expectOnlyTheLoop(seen, count: 2 * 3 + 2 * 2 + 2 * 2)
    loop.cancel()
    await loop.value
  }

  @Test func aBindingsWriteShowsNothingOfItsWriter() async {
    let seen = Journal<Surroundings>()
    let context = makeContext(seen)
    let loop = await run(context)
    seen.clear()
    Surroundings.$label.withValue("view") {
      context.binding.rows.wrappedValue = [Row(id: 1)]
    }
    await context.quiet()
    expectOnlyTheLoop(seen, count: 2)
    loop.cancel()
    await loop.value
  }

  @Test func aSendFromNoTaskAtAllShowsTheLoop() async {
    let seen = Journal<Surroundings>()
    let context = makeContext(seen, executor: .background)
    let loop = await run(context)
    seen.clear()
    elsewhere { context.send(Change { $0.count += 1 }, caller: nil) }
    await context.quiet()
    expectOnlyTheLoop(seen, count: 3 + 2 + 2)
    loop.cancel()
    await loop.value
  }

  @Test func aSynchronousBodyMaySendAndRunsOnTheMainActor() async {
    let seen = Journal<String>()
    let box = Journal<Context<System>>()
    let context = Context(
      state: Fields(),
      system: System {
        Feedback(.onChanged(\.count)) { state in
          MainActor.assumeIsolated { seen.note("\(Surroundings.label) \(state.count)") }
          // A send inside a body is queued behind what is being handled.
          if state.count == 1 { box.entries[0].send(.set(\.count, 2)) }
          return state.count == 2 ? .set(\.count, 3) : nil
        }
      })
    box.note(context)
    let loop = await run(context)
    Surroundings.$label.withValue("sender") {
      context.send(.set(\.count, 1))
      #expect(Surroundings.label == "sender")
      context.send(.set(\.count, 4))
    }
    await context.quiet()
    #expect(seen.entries == ["loop 0", "loop 1", "loop 2", "loop 3", "loop 4"])
    box.clear()
    loop.cancel()
    await loop.value
  }

  @Test func startHandsTheCallersValuesOn() async {
    let seen = Journal<Surroundings>()
    let context = makeContext(seen)
    let running = Surroundings.$label.withValue("caller") { context.start() }
    await context.quiet()
    context.send(Change { $0.count += 1 })
    await context.quiet()
    #expect(Set(seen.entries.map(\.label)) == ["caller"])
    running.stop()
    await running.ended()
    seen.clear()
    let again = Surroundings.$label.withValue("second loop") { context.start() }
    await context.quiet()
    Surroundings.$label.withValue("sender") { _ = context.send(Change { $0.count += 1 }) }
    await context.quiet()
    #expect(Set(seen.entries.map(\.label)) == ["second loop"])
    again.stop()
    await again.ended()
  }
}
