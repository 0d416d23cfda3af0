import AsyncFeedback

/// Runs one operation at a time, and knows what it belongs to.
///
/// It keeps no operation: who holds it is kept by an operation that captures him only while that runs.
package final class TaskPropertyStorage<ID: Equatable> {
  private enum Phase {
    case idle
    case begun(ID)
    /// Ended before its time, until there is another id.
    case cancelled(ID)
    /// Nothing begins.
    case paused
  }

  private var phase = Phase.idle
  private var task: Task<Void, Never>?
  /// How often something was begun or ended: what belongs to an earlier number is late.
  private var serial = 0

  package init() {}

  deinit {
    task?.cancel()
  }
}

extension TaskPropertyStorage {
  /// Begins the operation if the id is another than that of the one begun last, which is cancelled then.
  ///
  /// The operation begins before this returns where the system can do that (version 26 of Apple's, Linux).
  package func update(
    id: ID, name: String?, priority: TaskPriority?, executorPreference: (any TaskExecutor)?,
    _ action: sending @escaping @isolated(any) () async -> Void
  ) {
    switch phase {
    case .paused: return
    case .begun(let former), .cancelled(let former):
      if isUnchanged(former, id) { return }
    case .idle: break
    }
    end(.begun(id))
    let serial = serial
    let begun = begin(name, priority, executorPreference, action)
    // The operation has perhaps done something with this already.
    if serial == self.serial { task = begun } else { begun.cancel() }
  }

  /// Cancels the operation, and begins no other until it is resumed.
  package func pause() {
    end(.paused)
  }

  /// Lets the next update begin its operation, if it was paused or cancelled.
  ///
  /// - Returns: whether it was.
  package func resume() -> Bool {
    switch phase {
    case .idle, .begun: return false
    case .cancelled, .paused:
      end(.idle)
      return true
    }
  }

  /// Cancels the operation; the next that begins is that of another id.
  package func cancel() {
    if case .begun(let id) = phase { end(.cancelled(id)) }
  }

  private func end(_ phase: Phase) {
    self.phase = phase
    serial += 1
    task.take()?.cancel()
  }
}

private func begin(
  _ name: String?, _ priority: TaskPriority?, _ executorPreference: (any TaskExecutor)?,
  _ action: sending @escaping @isolated(any) () async -> Void
) -> Task<Void, Never> {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    Task.immediate(
      name: name, priority: priority, executorPreference: executorPreference, operation: action)
  } else {
    Task(
      name: name, executorPreference: executorPreference, priority: priority, operation: action)
  }
}
