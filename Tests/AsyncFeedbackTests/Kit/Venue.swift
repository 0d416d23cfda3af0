import AsyncFeedback
import AsyncFeedbackTestSupport
import Dispatch
import Testing

/// An executor of the kinds that a context can live on, for tests about the runtime as such.
enum Venue: String, CaseIterable, CustomTestStringConvertible {
  case main
  case background
  case deterministic

  var testDescription: String { rawValue }

  /// A context executor of this kind, which needs nobody to drive it.
  func executor() -> ContextExecutor {
    switch self {
    case .main: .main
    case .background: .background
    case .deterministic: .serial(selfDriven())
    }
  }

  /// A deterministic executor that a queue runs whenever a job comes from outside.
  private func selfDriven() -> DeterministicExecutor {
    let executor = DeterministicExecutor()
    let queue = DispatchQueue(label: "deterministic venue")
    executor.onEnqueueFromOutside = { [weak executor] in
      // The job keeps the executor's owner alive; without one there is nothing to run.
      guard let executor else { return }
      queue.async { executor.runUntilIdle() }
    }
    return executor
  }
}

extension Context {
  /// Does work on the context's executor, in one synchronous stretch.
  func perform<Result: Sendable>(
    _ work: @Sendable (isolated Context<System>) -> Result
  ) -> Result {
    work(self)
  }
}
