import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Law 9: runs do not outlive the loop", .timeLimit(.minutes(10)))
struct Law09Tests {
  private let begun = Tally()
  private let ended = Tally()
  private let gate = Gate()

  /// A body that needs a while to clean up after its cancellation.
  private var tidy: Feedback<Sum> {
    Feedback(.once, name: "tidy") { _ in
      begun.increment()
      await gate.pass()
      // The cleanup suspends.
      await Task.detached {}.value
      await Task.detached {}.value
      ended.increment()
      return nil
    }
  }

  /// A body that ignores its cancellation.
  private var stubborn: Feedback<Sum> {
    Feedback(.once, name: "stubborn") { _ in
      begun.increment()
      await gate.passUncancelled()
      ended.increment()
      return 1
    }
  }

  @Test(arguments: Venue.allCases)
  func theLoopReturnsAfterEveryRunHasEnded(venue: Venue) async {
    let context = Context(
      state: 0, system: Sum.adding([tidy, tidy, tidy]), executor: venue.executor())
    let loop = Task { await context.runFeedbackLoop() }
    await begun.reaches(3)
    loop.cancel()
    await loop.value
    #expect(ended.count == 3)
  }

  @Test(arguments: Venue.allCases)
  func theLoopWaitsForARunThatItsLevelHasCancelledBefore(venue: Venue) async {
    let system = Sum.adding([
      Feedback(.while { $0 == 1 }) { _ in
        begun.increment()
        await gate.passUncancelled()
        ended.increment()
        return nil
      }
    ])
    let context = Context(state: 1, system: system, executor: venue.executor())
    let loop = Task { await context.runFeedbackLoop() }
    await begun.reaches(1)
    await context.send(1).value
    loop.cancel()
    // Opened by another task, so that the loop has to wait if it is to be right.
    Task.detached { gate.open() }
    await loop.value
    #expect(ended.count == 1)
  }

  @Test(arguments: Venue.allCases)
  func releasingTheRunningCancelsTheRuns(venue: Venue) async {
    let context = Context(state: 0, system: Sum.adding([tidy]), executor: venue.executor())
    var running: Running? = context.start()
    await begun.reaches(1)
    #expect(context.isRunning)
    running = nil
    #expect(!context.isRunning)
    #expect(running == nil)
    await ended.reaches(1)
  }

  @Test(arguments: Venue.allCases)
  func runsThatIgnoreTheirCancellationAreListed(venue: Venue) async {
    let monitor = WordMonitor()
    let context = Context(
      state: 0, system: Sum.adding([stubborn, tidy]), executor: venue.executor(), monitor: monitor)
    let running = context.start()
    await begun.reaches(2)
    running.stop()
    await ended.reaches(1)
    gate.open()
    await running.ended()
    #expect(monitor.unended.entries.map(Set.init) == [["stubborn", "tidy"]])
    #expect(Set(monitor.lines("ended")) == ["ended stubborn", "ended tidy"])
    #expect(await context.state == 0)
  }

  @Test(arguments: Venue.allCases)
  func aNewLoopDoesNotWaitForThem(venue: Venue) async {
    let context = Context(state: 0, system: Sum.adding([stubborn]), executor: venue.executor())
    let first = context.start()
    await begun.reaches(1)
    first.stop()
    let second = context.start()
    await context.send(10).value
    await begun.reaches(2)
    #expect(await context.state == 10)
    #expect(ended.count == 0)
    gate.open()
    await first.ended()
    await context.quiet()
    // Only the run of the loop that goes on is heard.
    #expect(await context.state == 11)
    second.stop()
    await second.ended()
  }

  @Test(arguments: Venue.allCases)
  func aSuspendedBodyDoesNotKeepTheContextAlive(venue: Venue) async {
    var context: Context? = Context(
      state: 0, system: Sum.adding([tidy]), executor: venue.executor())
    let reference = context.map(WeakReference.init)
    let running = context?.start()
    await begun.reaches(1)
    context = nil
    #expect(reference?.object == nil)
    running?.stop()
    await running?.ended()
    #expect(ended.count == 1)
  }

  @Test(arguments: Venue.allCases)
  func nothingThatWaitsForAContextKeepsItAlive(venue: Venue) async {
    var context: Context? = Context(
      state: 0, system: Sum.adding([tidy]), executor: venue.executor())
    guard let reference = context.map(WeakReference.init), let running = context?.start() else {
      return
    }
    let receipt = context?.send(1)
    let values = context?.values(of: { $0 })
    let looked = Gate()
    let waiters = [
      Task { await receipt?.settled() },
      Task {
        guard let values else { return }
        for await _ in values { looked.open() }
      },
    ]
    await begun.reaches(1)
    await looked.pass()
    context = nil
    #expect(reference.object == nil)
    for waiter in waiters { await waiter.value }
    running.stop()
    await running.ended()
  }

  @MainActor @Test func aBindingDoesNotKeepTheContextAlive() async {
    var context: Context? = Context(state: 0, system: Sum.adding())
    let reference = context.map(WeakReference.init)
    let binding = context?.binding
    let sending = context?.binding(\.self, sending: { $0 })
    binding?.wrappedValue = 1
    context = nil
    #expect(reference?.object == nil)
    #expect(binding?.wrappedValue == 1)
    sending?.wrappedValue = 5
    #expect(sending?.wrappedValue == 1)
  }

  @Test func makingAContextStartsNothing() {
    for _ in 0..<100 {
      let context = Context(state: 0, system: Sum.adding([tidy]))
      #expect(!context.isRunning)
    }
    #expect(begun.count == 0)
  }
}
