import AsyncFeedback
import Observation
import Testing

// This module has no upcoming feature of the compiler enabled, as most that use the package.

/// What awaits nothing of the main actor's.
private enum Service {
  struct Down: Error {}

  static func answer(_ number: Int) async throws -> Int {
    guard number > 0 else { throw Down() }
    return number + 1
  }
}

@MainActor
private final class Screen {
  let closure = FutureValue<Int, Int> { number in try await Service.answer(number) }
  let function = FutureValue(operation: Service.answer)
  lazy var captured = FutureValue<Int, Int> { [unowned self] number in
    asked.append(number)
    return try await Service.answer(number)
  }
  let given: FutureValue<Int, Int>
  var asked: [Int] = []

  init(given: FutureValue<Int, Int> = FutureValue { try await Service.answer($0) }) {
    self.given = given
  }

  var all: [FutureValue<Int, Int>] { [closure, function, captured, given] }
}

@MainActor @Suite("Futures of a module with the compiler's own settings", .timeLimit(.minutes(10)))
struct StoredFutureTests {
  @Test func aStoredFutureIsExecutedHoweverItsOperationIsWritten() async {
    let screen = Screen()
    for future in screen.all {
      #expect(await data(of: future, for: 1) == 2)
      #expect(await data(of: future, for: 0) == nil)
    }
    #expect(screen.asked == [1, 0])
  }

  private func data(of future: FutureValue<Int, Int>, for number: Int) async -> Int? {
    future.execute(number)
    while future.isLoading {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = future.state
        } onChange: {
          continuation.resume()
        }
      }
      // It is told before the change is made, within the same turn.
      await Task { @MainActor in }.value
    }
    return future.data
  }
}
