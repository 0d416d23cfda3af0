import AsyncFeedback
import AsyncFeedbackTestSupport

/// A producer that the test drives, and what was asked of it.
final class Producer<Input: Sendable, Failure: Error>: Sendable {
  let log = Journal<String>()
  private let inputs = Lock<[FeedInput<Input, Failure>]>([])

  /// What a feed is started with.
  func start(_ input: FeedInput<Input, Failure>) -> @Sendable () -> Void {
    inputs.withLock { $0.append(input) }
    log.note("start")
    return { [log] in log.note("stop") }
  }

  /// The input of the so many-eth start.
  subscript(index: Int) -> FeedInput<Input, Failure> {
    inputs.withLock { $0[index] }
  }

  var input: FeedInput<Input, Failure> { inputs.withLock { $0[$0.count - 1] } }

  var starts: Int { inputs.withLock { $0.count } }

  /// Lets go of all inputs.
  func forget() {
    let gone = inputs.withLock { inputs in
      defer { inputs.removeAll() }
      return inputs
    }
    withExtendedLifetime(gone) {}
  }
}

/// Consumers on an executor and a clock that only the test moves.
struct FeedStage {
  let executor = DeterministicExecutor()
  let clock = TestClock()

  init() {
    clock.attach(executor)
  }

  @discardableResult
  func perform(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task(executorPreference: executor) { await work() }
    executor.runUntilIdle()
    return task
  }

  /// Notes the elements of a sequence, its end and its error, with the time of each.
  func follow<Elements: AsyncSequence & Sendable>(_ elements: Elements) -> Follower {
    let log = Journal<String>()
    let clock = clock
    let note: @Sendable (String) -> Void = {
      log.note("\($0)@\(clock.now.offset.components.seconds)")
    }
    let task = perform {
      do {
        for try await element in elements { note("\(element)") }
        note("end")
      } catch {
        note("\(error)")
      }
    }
    return Follower(task: task, log: log, executor: executor)
  }

  func advance(by seconds: Int) {
    clock.advance(by: .seconds(seconds))
  }

  /// Lets what was made ready run.
  func settle() {
    executor.runUntilIdle()
  }
}

struct Follower {
  let task: Task<Void, Never>
  let log: Journal<String>
  let executor: DeterministicExecutor

  /// What came, with its time.
  var timed: [String] {
    executor.runUntilIdle()
    return log.entries
  }

  /// What came.
  var entries: [String] { timed.map { String($0.prefix { $0 != "@" }) } }

  func cancel() {
    task.cancel()
    executor.runUntilIdle()
  }
}

extension FeedCounts {
  /// The count of what went all ways together.
  var sum: Int { delivered + dropped + coalesced + abandoned + depth }
}
