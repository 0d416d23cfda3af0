import AsyncFeedbackTestSupport
import XCTest

/// Clock and executor under XCTest, whose tests are no tasks or run in a task of XCTest.
final class TestClockXCTests: XCTestCase {
  private let clock = TestClock()
  private let executor = DeterministicExecutor()

  private func startTimer(_ log: Log<Int64>) {
    DeterministicExecutor.$current.withValue(executor) {
      _ = Task(executorPreference: executor) { [clock] in
        while true {
          try await clock.sleep(id: "timer", for: .seconds(1))
          log.append(clock.now.offset.components.seconds)
        }
      }
    }
  }

  func testATestOutsideOfAnyTaskDrivesTheClock() {
    let log = Log<Int64>()
    startTimer(log)
    executor.runUntilIdle()
    clock.advance(by: .seconds(3))
    XCTAssertEqual(log.entries, [1, 2, 3])
  }

  @MainActor func testATestOfTheMainActorWaitsForPlainTasks() async throws {
    let task = Task { [clock] in
      try await clock.sleep(id: "A", for: .seconds(1))
      try await clock.sleep(id: "B", until: .init(offset: .seconds(3)))
      return clock.now
    }
    try await clock.sleep(untilSuspendBy: "A")
    clock.advance(by: .seconds(1))
    try await clock.sleep(untilSuspendBy: "B")
    clock.advance(by: .seconds(2))
    let end = try await task.value
    XCTAssertEqual(end.offset, .seconds(3))
  }

  func testSettlingFencesTheMainActor() async {
    let log = Log<Int64>()
    Task(executorPreference: executor) {
      for number: Int64 in 0..<3 {
        await TestClockXCTests.onMain { log.append(number) }
      }
    }
    await executor.settle()
    XCTAssertEqual(log.entries, [0, 1, 2])
  }

  @MainActor private static func onMain(_ body: () -> Void) { body() }
}
