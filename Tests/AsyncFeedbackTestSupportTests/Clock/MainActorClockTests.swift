import AsyncFeedbackTestSupport
import Testing

/// The clock with plain tasks of the main actor: they run at their own time, and the test waits for
/// their next sleep.
@MainActor @Suite struct MainActorClockTests {
  let clock = TestClock(initialInstant: .zero)

  final class Counter { var count = 0 }
  let counter = Counter()

  @Test func sleepsFollowEachOther() async throws {
    let task = Task { [clock, counter] in
      try await clock.sleep(id: "A", for: .seconds(1))
      counter.count += 1
      try await clock.sleep(id: "B", for: .seconds(2))
      counter.count += 10
      try await clock.sleep(id: "C", until: .init(offset: .seconds(5)))
      counter.count += 100
    }

    try await clock.sleep(untilSuspendBy: "A")
    #expect(counter.count == 0)

    clock.advance(by: .seconds(1))
    try await clock.sleep(untilSuspendBy: "B")
    #expect(counter.count == 1)

    clock.advance(by: .seconds(1))
    try await clock.sleep(untilSuspendBy: "B")
    #expect(counter.count == 1)

    clock.advance(by: .seconds(1))
    try await clock.sleep(untilSuspendBy: "C")
    #expect(counter.count == 11)

    clock.advance(by: .seconds(3))
    try await task.value
    #expect(counter.count == 111)
    #expect(clock.now == .init(offset: .seconds(6)))
  }

  @Test func deadlinesThatArePastDoNotSuspend() async throws {
    clock.advance(by: .seconds(2))
    let task = Task { [clock, counter] in
      try await clock.sleep(id: "A", until: .init(offset: .seconds(1)))
      counter.count += 1
      try await clock.sleep(id: "B", until: .init(offset: .seconds(2)))
      counter.count += 10
      try await clock.sleep(id: "C", until: .init(offset: .seconds(3)))
      counter.count += 100
    }
    try await clock.sleep(untilSuspendBy: "C")
    #expect(counter.count == 11)
    clock.advance(by: .seconds(1))
    try await task.value
    #expect(counter.count == 111)
  }

  @Test func aCancelledSleepThrowsAtOnceAndIsForgotten() async throws {
    let task = Task { [clock, counter] in
      try await clock.sleep(id: "A", for: .seconds(1))
      counter.count += 1
    }
    try await clock.sleep(untilSuspendBy: "A")
    task.cancel()
    #expect(!clock.isSleeping(id: "A"))
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(counter.count == 0)
  }

  @Test func aSleepOfACancelledTaskThrows() async throws {
    let task = Task { [clock, counter] in
      try await clock.sleep(id: "A", for: .seconds(1))
      counter.count += 1
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(counter.count == 0)
    #expect(clock.sleepers.isEmpty)
  }

  @Test func aSleeperCancelledAfterItWasWokenAndBeforeItRanThrows() async throws {
    let task = Task { [clock, counter] in
      try await clock.sleep(id: "A", for: .seconds(1))
      counter.count += 1
    }
    try await clock.sleep(untilSuspendBy: "A")
    // The test holds the main actor, so the task cannot run between these two.
    clock.advance(by: .seconds(1))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(counter.count == 0)
  }

  // A task that starts in the middle of this one goes as far as it gets without giving the main actor up.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test func aSleepIsRegisteredBeforeTheMainActorIsGivenUp() async throws {
    let task = Task.immediate { [clock] in try await clock.sleep(for: .seconds(1)) }
    #expect(clock.sleepers.map(\.deadline) == [.init(offset: .seconds(1))])
    clock.advance(by: .seconds(1))
    try await task.value
  }
}
