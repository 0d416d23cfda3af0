import AsyncFeedback

/// A value that is handed from one place to another.
final class Handover<Value: Sendable>: Sendable {
  private let lock = Lock<Value?>(nil)

  var value: Value? {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }
}

/// A gate that stays open once it was opened; any number of tasks may wait for that.
final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    var waiters: [Waiter] = []
  }

  private let state = Lock(State())

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the gate is open, or the task is cancelled.
  func pass() async {
    await enqueue().wait()
  }

  /// Waits until the gate is open, like code that knows nothing of cancellation.
  func passUncancelled() async {
    await enqueue().waitUncancelled()
  }

  private func enqueue() -> Waiter {
    let waiter = Waiter()
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiters.append(waiter) }
      return state.isOpen
    }
    if isOpen { waiter.resume() }
    return waiter
  }
}

/// Counts, and lets a task wait for a count.
final class Tally: Sendable {
  private struct State: Sendable {
    var count = 0
    var gates: [(count: Int, gate: Gate)] = []
  }

  private let state = Lock(State())

  var count: Int { state.withLock(\.count) }

  func increment() {
    let reached = state.withLock { state in
      state.count += 1
      let count = state.count
      return state.gates.filter { $0.count <= count }.map(\.gate)
    }
    for gate in reached { gate.open() }
  }

  func reaches(_ count: Int) async {
    let gate = Gate()
    let isReached = state.withLock { state in
      state.gates.append((count, gate))
      return state.count >= count
    }
    if isReached { gate.open() }
    await gate.pass()
  }
}

/// A reference that keeps nothing alive.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  private struct Content: Sendable {
    weak var object: Object?
  }

  private let content: Lock<Content>

  var object: Object? { content.withLock { $0.object } }

  init(_ object: Object) {
    content = Lock(Content(object: object))
  }
}
