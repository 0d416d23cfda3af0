import AsyncFeedback
import Observation

/// Tracks a read through Observation, again and again, and notes each value.
@MainActor
final class FieldObserver<Value: Sendable> {
  private let read: @MainActor () -> Value
  private let react: @MainActor (Value) -> Void
  private(set) var values: [Value] = []
  private(set) var isStopped = false

  init(
    _ read: @escaping @MainActor () -> Value, react: @escaping @MainActor (Value) -> Void = { _ in }
  ) {
    self.read = read
    self.react = react
    look()
  }

  func stop() {
    isStopped = true
  }

  private func look() {
    let value = withObservationTracking {
      read()
    } onChange: { [weak self] in
      // The context lives on the main actor, and it is there that it tells.
      MainActor.assumeIsolated {
        guard let self, !self.isStopped else { return }
        self.look()
      }
    }
    values.append(value)
    react(value)
  }
}
