import AsyncFeedback
import AsyncFeedbackTestSupport
import LoopbackServer
import ServerSentEvents

/// A task that reads a source to its end.
struct Reading: Sendable {
  let events = Entries<ServerSentEvent>()
  let task: Task<Void, any Error>

  init(_ source: EventSource) {
    task = Task { [events] in
      for try await event in source { events.note(event) }
    }
  }

  /// The data of the event at an index, as soon as it is there.
  func data(_ index: Int) async throws -> String {
    try await events.entry(index).data
  }

  /// The data of all events up to the end.
  func allData() async throws -> [String] {
    try await task.value
    return events.all.map(\.data)
  }

  /// The error that ends the source.
  func failure() async throws -> EventSourceError? {
    do {
      try await task.value
      return nil
    } catch let error as EventSourceError {
      return error
    }
  }
}

extension EventSourceOptions {
  /// Options with which a source waits for exactly as long as the server says, else three seconds.
  static var plain: Self {
    var options = Self()
    options.backoff = .constant(.zero)
    return options
  }

  /// Options with which a source connects again at once.
  static var immediate: Self {
    var options = plain
    options.reconnectionTime = .zero
    return options
  }

  func with(_ change: (inout Self) -> Void) -> Self {
    var options = self
    change(&options)
    return options
  }
}

extension TestClock {
  /// Waits until something sleeps until exactly then, and moves the clock there.
  func reach(_ offset: Duration) async throws {
    let instant = Instant(offset: offset)
    let isAsleep = try await wait(limit: .seconds(300)) { sleepers in
      sleepers.contains { $0.deadline == instant }
    }
    guard isAsleep else {
      throw TestClockError.notAsleep(
        id: "until \(offset)", asleep: sleepers.map(\.description))
    }
    advance(by: now.duration(to: instant))
  }
}
