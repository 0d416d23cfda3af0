import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport

/// How long a wait may take: a safety net only, since all tests of views share the main actor.
let patience = Duration.seconds(300)

/// What a test notes.
@MainActor
final class Log {
  private(set) var entries: [String] = []

  func note(_ entry: String) {
    entries.append(entry)
  }

  /// Notes what is not the newest entry already.
  func noteChange(_ entry: String) {
    if entries.last != entry { note(entry) }
  }

  func count(of entry: String) -> Int {
    entries.count { $0 == entry }
  }
}

/// Gives a sign when it goes.
final class Canary: Sendable {
  let gone: Signal

  init(_ gone: Signal = Signal()) {
    self.gone = gone
  }

  deinit {
    gone.give()
  }
}

/// A system of closures.
struct Form: SystemProtocol {
  struct State: Sendable {
    var text = ""
    var echo = ""
    var a = 0
    var b = 0
    var nested = Nested()
    var list = [0, 0]
    var handle = Handle()
    var request: Int?
    var loaded = 0
  }

  struct Nested: Sendable, Equatable {
    var a = 0
    var b = 0
  }

  final class Handle: Sendable {}

  struct Event: Sendable {
    let apply: @Sendable (inout State) -> Void

    init(_ apply: @escaping @Sendable (inout State) -> Void) {
      self.apply = apply
    }
  }

  var canary: Canary?
  var list: [Feedback<Self>] = []

  func reducer() -> Reducer {
    { [canary] state, event in withExtendedLifetime(canary) { event.apply(&state) } }
  }

  func feedbacks() -> [Feedback<Self>] { list }
}

extension Context {
  /// Waits until the loop runs, has handled an event sent now, and is quiet.
  nonisolated(nonsending) func rest(after event: System.Event) async {
    await send(event).value
    await quiet()
  }
}

extension Context<Form> {
  /// Waits until the loop runs and is quiet.
  nonisolated(nonsending) func rest() async {
    await rest(after: .init { _ in })
  }
}

extension TestClock {
  /// Waits until something sleeps that long after zero.
  func hasSleeper(until offset: Duration) async throws -> Bool {
    try await wait(limit: patience) { $0.contains { $0.deadline.offset == offset } }
  }
}
