/// How a feedback thins out its triggers, or the elements of its stream.
@usableFromInline
package struct Pace: Sendable {
  package enum Kind: Sendable, Hashable {
    /// Lets the newest through after a pause.
    case debounce
    /// Lets the first through, and then the newest of each window.
    case throttle
  }

  package let kind: Kind
  package let duration: Duration
  package let timer: RunTimer

  package init(_ kind: Kind, duration: Duration, clock: any Clock<Duration>) {
    precondition(duration > .zero, "duration must be positive (was \(duration))")
    self.kind = kind
    self.duration = duration
    timer = RunTimer(clock)
  }
}

/// Decides which values a pace lets through, and when.
package struct Pacer<Value> {
  private let kind: Pace.Kind
  private let duration: Duration
  /// The value that waits to go through.
  package private(set) var pending: Value?
  /// When `fire` has something to do next.
  package private(set) var deadline: Duration?

  package init(_ kind: Pace.Kind, duration: Duration) {
    self.kind = kind
    self.duration = duration
  }

  /// Takes a value and returns what goes through at once.
  package mutating func receive(_ value: Value, at now: Duration) -> Value? {
    switch kind {
    case .debounce:
      pending = value
      deadline = now + duration
      return nil
    case .throttle:
      if let deadline, now < deadline {
        pending = value
        return nil
      }
      // A value whose window ended in this very instant is older than this one and replaced by it.
      pending = nil
      deadline = now + duration
      return value
    }
  }

  /// Notes that time has passed and returns what goes through now.
  package mutating func fire(at now: Duration) -> Value? {
    guard let end = deadline, now >= end else { return nil }
    let value = pending.take()
    deadline = kind == .throttle && value != nil ? end + duration : nil
    return value
  }

  /// Ends the pace and returns what still waited.
  package mutating func finish() -> Value? {
    deadline = nil
    return pending.take()
  }

  /// Drops the value that waits; a window that has begun goes on.
  package mutating func drop() {
    pending = nil
  }
}

extension Pacer: Sendable where Value: Sendable {}

/// A pacer with its timer. Lives on one lane.
///
/// The one timer is armed lazily: a value that moves the deadline leaves the timer asleep, and it goes
/// to sleep again when it wakes too early. So values cost no task each, and a value that comes in the
/// same instant as a deadline that was moved meanwhile is seen first.
// Reached only on the lane.
package final class PacedOutlet<Value>: @unchecked Sendable {
  private var pacer: Pacer<Value>
  private let timer: RunTimer
  private let lane: Lane
  private let emit: (Value) -> Void
  /// Called with true when a value begins to wait, with false when none waits any more.
  private let noteWaiting: (Bool) -> Void
  /// Whether a value waits.
  package private(set) var isWaiting = false
  /// The value that waits.
  package var pending: Value? { pacer.pending }
  private var waiting: Task<Void, Never>?

  package init(
    _ pace: Pace, lane: Lane, emit: @escaping (Value) -> Void,
    noteWaiting: @escaping (Bool) -> Void
  ) {
    pacer = Pacer(pace.kind, duration: pace.duration)
    timer = pace.timer
    self.lane = lane
    self.emit = emit
    self.noteWaiting = noteWaiting
  }

  package func receive(_ value: Value) {
    let passed = pacer.receive(value, at: timer.elapsed())
    updateWaiting()
    if let passed { emit(passed) }
    guard waiting == nil, pacer.deadline != nil else { return }
    waiting = lane.start { [self] _ in await wait() }
  }

  /// Lets through what waits; the next value begins the pace anew.
  package func flush() {
    let last = pacer.finish()
    if let last { emit(last) }
    updateWaiting()
  }

  /// Lets through what waits, and ends.
  package func finish() {
    flush()
    waiting?.cancel()
  }

  /// Drops what waits; a window that has begun goes on.
  package func drop() {
    pacer.drop()
    updateWaiting()
  }

  /// Drops what waits, and ends.
  package func cancel() {
    _ = pacer.finish()
    updateWaiting()
    waiting?.cancel()
  }

  private nonisolated(nonsending) func wait() async {
    while let deadline = pacer.deadline, !Task.isCancelled {
      try? await timer.sleep(until: deadline)
      if Task.isCancelled { break }
      if let value = pacer.fire(at: timer.elapsed()) { emit(value) }
      updateWaiting()
    }
    waiting = nil
  }

  private func updateWaiting() {
    guard (pending != nil) != isWaiting else { return }
    isWaiting.toggle()
    noteWaiting(isWaiting)
  }
}
