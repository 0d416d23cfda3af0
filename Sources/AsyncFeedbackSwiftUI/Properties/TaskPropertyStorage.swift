import AsyncFeedback

/// Runs one operation at a time, and knows what it belongs to.
///
/// It keeps no operation: who holds it is kept by an operation that captures him only while that runs.
package final class TaskPropertyStorage<ID: Equatable> {
  private enum Phase {
    /// The next update begins its operation, whatever the last one belonged to.
    case ready
    /// An update of another id begins its operation.
    case begun
    /// The same, after the operation was ended before its time.
    case cancelled
    /// Nothing begins.
    case paused
  }

  private var phase = Phase.ready
  /// That of the last update.
  private var id: ID?
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
    let former = self.id
    self.id = id
    switch phase {
    case .paused: return
    case .begun, .cancelled: if let former, isUnchanged(former, id) { return }
    case .ready: break
    }
    let serial = end(.begun)
    // The operation that it replaces has perhaps done something with this as it was cancelled.
    guard serial == self.serial else { return }
    let begun = begin(name, priority, executorPreference, action)
    // So may this one have already.
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
    case .ready, .begun: return false
    case .cancelled, .paused:
      end(.ready)
      return true
    }
  }

  /// Cancels the operation, also one that was resumed and has not begun; the next that begins is that of
  /// another id.
  ///
  /// Nothing happens before the first update, and while it is paused.
  package func cancel() {
    if phase != .paused { end(.cancelled) }
  }

  /// Lets the next update begin its operation, unless it is paused.
  ///
  /// - Returns: whether it will.
  package func renew() -> Bool {
    guard phase != .paused else { return false }
    end(.ready)
    return true
  }

  /// - Returns: the number of this change.
  @discardableResult
  private func end(_ phase: Phase) -> Int {
    self.phase = phase
    serial += 1
    let serial = serial
    task.take()?.cancel()
    return serial
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
