/// One execution of a feedback's body, ready to start.
///
/// It runs on the lane: an actor with the executor of the context, which is not the context itself,
/// since a body isolated to the context would keep it alive through every suspension (law 9).
@usableFromInline
package struct Work<Event: Sendable>: Sendable {
  @usableFromInline package typealias Run =
    @Sendable (isolated Lane, Send<Event>) async throws -> Event?

  @usableFromInline package let run: Run

  @inlinable
  package init(_ run: @escaping Run) {
    self.run = run
  }
}

/// The number of one run: the feedback's position in the declaration and a count.
@usableFromInline
package struct RunID: Hashable, Sendable {
  @usableFromInline package let rawValue: UInt64

  @inlinable
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  @inlinable
  package init(feedback: Int, serial: UInt64) {
    rawValue = UInt64(truncatingIfNeeded: feedback) << 40 | serial
  }

  @inlinable
  package var feedback: Int { Int(truncatingIfNeeded: rawValue >> 40) }

  @inlinable
  package var serial: UInt64 { rawValue & (1 << 40 - 1) }
}

/// The element that a run of `Feedback.each` belongs to.
///
/// A class, so that it is handed on as one pointer: most runs have none.
// The identities come from values of a `Sendable` state, and a `Hashable` value is not changed by being
// hashed or compared.
@usableFromInline package final class RunKey: Hashable, @unchecked Sendable {
  package let id: AnyHashable

  package init(_ id: AnyHashable) {
    self.id = id
  }

  @usableFromInline
  package static func == (left: RunKey, right: RunKey) -> Bool {
    left === right || left.id == right.id
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

/// What the driver keeps of a run until it has ended.
@usableFromInline
package class RunRecord {
  var run = RunID(feedback: 0, serial: 0)
  /// The task, as long as the body is suspended.
  var task: Task<Void, Never>?
  /// The next one of those that are due.
  var next: RunRecord?
  @usableFromInline var hasEnded = false

  @usableFromInline
  init() {}
}

/// The record of a run with what it is to do.
// Reached on the lane only.
@usableFromInline package final class WorkRecord<Event: Sendable>: RunRecord, @unchecked Sendable {
  @usableFromInline var work: Work<Event>

  @inlinable
  init(_ work: Work<Event>) {
    self.work = work
    super.init()
  }
}

/// The runs that start at the end of the turn, in the order of the triggers.
///
/// A chain through the records themselves, so that a run that is due costs no list of its own.
struct DueRuns {
  private var first: RunRecord?
  private var last: RunRecord?

  var isEmpty: Bool { first == nil }

  mutating func append(_ record: RunRecord) {
    if let last { last.next = record } else { first = record }
    last = record
  }

  mutating func popFirst() -> RunRecord? {
    guard let record = first else { return nil }
    first = record.next.take()
    if first == nil { last = nil }
    return record
  }
}
