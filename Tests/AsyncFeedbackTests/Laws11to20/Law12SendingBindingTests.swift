import AsyncFeedback
import Observation
import Testing

@MainActor @Suite("Law 12: a binding that sends an event instead")
struct Law12SendingBindingTests {
  struct Volume: Sendable {
    var level = 5
    var other = 0
  }

  enum Event: Sendable { case levelEntered(Int), touched }

  /// Keeps the level within 0...10.
  private func makeContext() -> Context<ClosureSystem<Volume, Event>> {
    Context(
      state: Volume(),
      system: ClosureSystem<Volume, Event>(
        reduce: { state, event in
          switch event {
          case .levelEntered(let level): state.level = min(max(level, 0), 10)
          case .touched: state.other += 1
          }
        }, list: []))
  }

  /// Tracks the level as a view does: it looks again whenever it is told.
  private func watch(_ context: Context<ClosureSystem<Volume, Event>>, _ told: Journal<Int>) {
    withObservationTracking {
      _ = context.level
    } onChange: {
      MainActor.assumeIsolated {
        told.note(context.level)
        watch(context, told)
      }
    }
  }

  @Test func itSendsTheEventAndReadsTheField() async {
    let context = makeContext()
    let running = context.start()
    await context.quiet()
    let binding = context.binding(\.level) { .levelEntered($0) }
    let told = Journal<Int>()
    watch(context, told)
    binding.wrappedValue = 7
    #expect(binding.wrappedValue == 7)
    #expect(told.entries == [7])
    running.stop()
  }

  @Test func aCorrectionIsToldOnce() async {
    let context = makeContext()
    let running = context.start()
    await context.quiet()
    let binding = context.binding(\.level) { .levelEntered($0) }
    let told = Journal<Int>()
    watch(context, told)
    binding.wrappedValue = 12
    #expect(told.entries == [10], "the correction changes the field")
    binding.wrappedValue = 12
    #expect(told.entries == [10, 10], "the correction leaves the field as it was")
    binding.wrappedValue = 10
    #expect(told.entries == [10, 10], "the field is what was written")
    running.stop()
  }

  @Test func anEventThatWaitsIsToldOnceWhenItWasReduced() async {
    let context = makeContext()
    let binding = context.binding(\.level) { .levelEntered($0) }
    let told = Journal<Int>()
    watch(context, told)
    binding.wrappedValue = 7
    #expect(told.entries == [], "nothing has been reduced")
    let running = context.start()
    await context.quiet()
    #expect(told.entries == [7])
    running.stop()
  }

  @Test func aCorrectionThatWaitsIsToldOnceWhenItWasReduced() async {
    let context = makeContext()
    let running = context.start()
    await context.quiet()
    context.send(.levelEntered(10))
    let told = Journal<Int>()
    watch(context, told)
    withObservationTracking {
      _ = context.other
    } onChange: {
      MainActor.assumeIsolated {
        context.binding(\.level) { .levelEntered($0) }.wrappedValue = 12
        told.note(-1)
      }
    }
    context.send(.touched)
    await context.quiet()
    #expect(told.entries == [-1, 10])
    running.stop()
  }
}
