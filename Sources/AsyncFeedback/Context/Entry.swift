/// What waits for its turn: an event, or a place for a binding's write, with its cause.
@usableFromInline
package struct Entry<Event> {
  /// The event, or nil for a binding's write.
  @usableFromInline package var event: Event?
  @usableFromInline package var kind: EntryKind
  /// The line of the sender, or how many events caused each other before this one.
  @usableFromInline package var detail: UInt32
  /// The file of the sender (the address of its name), or the number of the run that answered.
  @usableFromInline package var origin: UInt64
  /// What this event is part of: everything that one event from outside has caused has one number.
  @usableFromInline package var cascade: UInt64

  @inlinable
  package init(event: Event?, kind: EntryKind, detail: UInt32, origin: UInt64, cascade: UInt64) {
    self.event = event
    self.kind = kind
    self.detail = detail
    self.origin = origin
    self.cascade = cascade
  }

  /// How many events caused each other before this one.
  @inlinable
  package var depth: UInt32 { kind.isAnswer ? detail : 0 }
}

/// What kind of entry it is: a few flags.
///
/// Not an `OptionSet`, whose generic algorithms cost more than the reducer in code that is not
/// specialised.
@usableFromInline
package struct EntryKind: Sendable, Equatable {
  @usableFromInline let flags: UInt8

  @inlinable
  init(flags: UInt8) {
    self.flags = flags
  }

  @inlinable static var outside: EntryKind { EntryKind(flags: 4) }
  @inlinable static var remoteOutside: EntryKind { EntryKind(flags: 4 | 8) }
  /// Returned by a body; nobody has a receipt.
  @inlinable static var answer: EntryKind { EntryKind(flags: 1) }
  /// Sent by a body.
  @inlinable static var sent: EntryKind { EntryKind(flags: 1 | 4) }
  @inlinable static var remoteSent: EntryKind { EntryKind(flags: 1 | 4 | 8) }
  @inlinable static var binding: EntryKind { EntryKind(flags: 2 | 4) }
  @inlinable static var remoteBinding: EntryKind { EntryKind(flags: 2 | 4 | 8) }

  /// Whether a feedback answered, so that the lease counts.
  @inlinable var isAnswer: Bool { flags & 1 != 0 }
  /// Whether it is a binding's write, which waits in a queue of its own.
  @inlinable var isBinding: Bool { flags & 2 != 0 }
  /// Whether somebody may hold a receipt for it.
  @inlinable var isTicketed: Bool { flags & 4 != 0 }
  /// Whether it came from outside the executor.
  @inlinable var isRemote: Bool { flags & 8 != 0 }
}
