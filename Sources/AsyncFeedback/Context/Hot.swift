/// What the hot loop of a context touches for every event.
///
/// It stands in memory of its own that the driver reaches by a pointer, since each access to a stored
/// property of a class costs an exclusivity check. Law 1 makes those checks needless: only the one turn
/// that is going touches it, on the executor.
///
/// It is not generic: code that is not specialised would have to look up how it is laid out.
@usableFromInline
package struct Hot: ~Copyable {
  @usableFromInline var machine: Machine
  /// How many entries the queue has.
  @usableFromInline var queued = 0
  /// How many entries have left it, and how many must have for what ended runs keep to age.
  @usableFromInline var handledEntries: UInt64 = 0
  @usableFromInline var agesAt: UInt64 = .max
  /// Whether somebody watches.
  @usableFromInline var isWatched = false
  /// Whether a turn is going.
  @usableFromInline var isTurning = false
  /// Whether it runs in a task of the loop's.
  var isInLoop = false
  /// Whether moreover there is no monitor, so that the hot loop may run bodies itself.
  @usableFromInline var runsBodies = false
  /// What the turn that is going has triggered.
  var due = DueRuns()
  /// How many runs have a task that has not begun.
  var unbegun = 0
  /// The run that answered last.
  var sender = Sender()
  /// Whether what was queued before the loop started is handled, with the first pass still to come.
  @usableFromInline var isStarting = false
  @usableFromInline var isMonitored: Bool
  /// Whether an entry needs more than being reduced: there is a monitor, or somebody follows an event.
  @usableFromInline var isSpecial: Bool
  /// The number of the last transition.
  @usableFromInline var transition = 0
  /// What is being reduced is part of this, and so many events led to it.
  @usableFromInline var cascade: UInt64 = 0
  @usableFromInline var depth: UInt32 = 0
  /// From this depth on the chain is noted, for the report of a runaway loop.
  @usableFromInline var deepFrom: UInt32
  /// How many events with receipts were issued on the executor, and how many of both kinds are handled.
  @usableFromInline var issued: UInt64 = 0
  @usableFromInline var handled: UInt64 = 0
  @usableFromInline var handledRemote: UInt64 = 0

  init(machine: consuming Machine, isMonitored: Bool, deepFrom: UInt32) {
    self.machine = machine
    self.isMonitored = isMonitored
    isSpecial = isMonitored
    self.deepFrom = deepFrom
  }
}

/// The number of an event that somebody may wait for: its place among those sent on the executor, or
/// among those sent from outside.
@usableFromInline
package struct Ticket: Hashable, Sendable {
  @usableFromInline package let number: UInt64
  @usableFromInline package let isRemote: Bool

  @inlinable
  package init(number: UInt64, isRemote: Bool) {
    self.number = number
    self.isRemote = isRemote
  }

  /// The number of everything that the event causes.
  @inlinable
  package var cascade: UInt64 { number << 2 | (isRemote ? 1 : 0) }
}

/// The run that answered last, since one that sends much does so in a row.
@usableFromInline
struct Sender {
  @usableFromInline var run: RunID?
  @usableFromInline var depth: UInt32 = 0
  @usableFromInline var cascade: UInt64 = 0

  init() {}

  init(run: RunID, depth: UInt32, cascade: UInt64) {
    self.run = run
    self.depth = depth
    self.cascade = cascade
  }

  init(_ id: RunID, _ run: Machine.Run?) {
    self.run = id
    depth = run?.depth ?? 0
    cascade = run?.cascade ?? 0
  }
}
