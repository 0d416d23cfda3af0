import AsyncFeedback
import AsyncFeedbackTestSupport

/// How long a wait may take: a safety net only, since all tests on the main actor share it.
let patience = Duration.seconds(300)

/// Runs a store as a view does, and returns when it has begun or joined.
@MainActor
func run<Value>(_ store: StreamValue<Value>) async -> Task<Void, Never> {
  let entered = Gate()
  let task = Task {
    entered.open()
    // Up to its first suspension this goes on in the same job.
    await store.run()
  }
  await entered.pass()
  return task
}

extension StreamState {
  /// The error, if there is one.
  var failure: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }

  var isEmpty: Bool {
    if case .empty = self { true } else { false }
  }
}

extension Context {
  /// Waits until the state meets a condition.
  nonisolated func reaches(_ condition: @escaping @Sendable (System.State) -> Bool) async {
    for await isMet in values(of: condition) where isMet { return }
  }
}

/// A sequence that the test can see go.
final class Mortal<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
  private let base: Base
  private let gone: Gate

  init(_ base: Base, gone: Gate) {
    self.base = base
    self.gone = gone
  }

  deinit {
    gone.open()
  }

  func makeAsyncIterator() -> Base.AsyncIterator { base.makeAsyncIterator() }
}

/// A store that the test can see go.
final class MortalStore: StreamValue<Int> {
  private let gone: Gate

  init(gone: Gate, _ factory: @escaping @MainActor () -> S) {
    self.gone = gone
    super.init(factory)
  }

  deinit {
    gone.open()
  }
}
