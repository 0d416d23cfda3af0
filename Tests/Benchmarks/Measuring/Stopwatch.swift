import AsyncFeedback

/// Takes the time from one event of a workload to another, in the state itself.
///
/// Both moments lie within the loop, so neither the making of the context nor the way of the result to
/// whoever asks for it is part of the figure. A reducer that reads a clock is not pure; here it is the
/// instrument.
struct Stopwatch: Sendable {
  private let clock: BenchmarkClock
  private var start = 0
  private(set) var elapsed = 0

  init(_ clock: BenchmarkClock) {
    self.clock = clock
  }

  mutating func begin() {
    start = clock.now()
  }

  mutating func end() {
    elapsed += clock.now() - start
  }
}

/// A system whose state takes the time between two of its events.
protocol TimedSystem: SystemProtocol where State: TimedState, Event: TimedEvent {}

protocol TimedState {
  var stopwatch: Stopwatch { get }
}

protocol TimedEvent {
  static var started: Self { get }
  static var stopped: Self { get }
}

extension Context where System: TimedSystem {
  /// Runs the loop until it is quiet, and returns what the stopwatch says of each operation.
  nonisolated func time(operations: Int) async -> Double {
    let running = start()
    await quiet()
    let elapsed = await state.stopwatch.elapsed
    running.stop()
    await running.ended()
    return Double(elapsed) / Double(operations)
  }
}

extension Feedback where System: TimedSystem {
  /// Sends events from the body of a feedback, that is, from inside the context's isolation.
  ///
  /// It sends a thousand and waits until they are reduced, so that the queue stays short: what a long
  /// queue costs is the matter of rows of their own.
  static func sending(
    _ operations: Int, _ event: @escaping @Sendable (Int) -> System.Event
  ) -> Self {
    Feedback(.once) { _, send in
      send(.started)
      for first in stride(from: 0, to: operations, by: 1_000) {
        var last: Receipt?
        for index in first..<min(first + 1_000, operations) { last = send(event(index)) }
        await last?.value
      }
      send(.stopped)
    }
  }
}
