/// One execution of a feedback's body, ready to start.
///
/// It runs on the lane: an actor with the executor of the context, which is not the context itself,
/// since a body isolated to the context would keep it alive through every suspension (law 9).
@usableFromInline
package struct Work<Event: Sendable>: Sendable {
  package typealias Run = @Sendable (isolated Lane, Send<Event>) async throws -> Event?

  package let run: Run

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
@usableFromInline
package struct RunKey: Hashable, @unchecked Sendable {
  // The identities come from values of a `Sendable` state, and a `Hashable` value is not changed by
  // being hashed or compared.
  package let id: AnyHashable

  package init(_ id: AnyHashable) {
    self.id = id
  }
}
