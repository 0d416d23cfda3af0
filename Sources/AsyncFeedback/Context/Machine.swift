/// Decides which runs start, wait, are cancelled and hold a lease.
///
/// It is a pure value: an input changes it and appends what is to be done to `effects`. It starts no
/// task, reads no clock and knows no state; the driver performs what it says. Work that a run will do
/// is kept by the driver under the run's number.
@usableFromInline
package struct Machine {
  /// What the driver is told to do.
  package enum Effect: Equatable, Sendable {
    /// A run that waited starts at the end of the turn.
    case start(RunID)
    /// Cancel the task of a run that has begun.
    case cancel(RunID)
    /// Forget a run that has not begun.
    case discard(RunID, Run)
    /// A trigger found no room to wait.
    case overflow(RunID, Run)
    /// A trigger came while a run of a `.dropping` feedback was going.
    case ignore(RunID, Run)
  }

  package enum Phase: Sendable {
    /// Waits for others of its feedback to end.
    case waiting
    /// Starts at the end of the turn.
    case due
    case running
    /// Was cancelled and has not ended yet.
    case ending
  }

  package struct Run: Equatable, Sendable {
    package let key: RunKey?
    package var phase: Phase
    package let session: Int
    /// The number of the transition that triggered it.
    package let startedBy: Int
    /// What it is part of (see `Entry.cascade`), and how many events led to it.
    package var cascade: UInt64
    package var depth: UInt32
    package var isParked = false
    /// How many of its values wait for their pace.
    package var held = 0

    /// Whether it keeps the context from being quiet.
    ///
    /// One that is cancelled does so until it has ended, even where it waited inside the library: what
    /// waits for its end is yet to come.
    package var isBusy: Bool {
      phase == .ending || phase != .waiting && (!isParked || held > 0)
    }
  }

  /// What led to a trigger.
  package struct Cause: Sendable {
    package let transition: Int
    package let cascade: UInt64
    package let depth: UInt32

    package init(transition: Int, cascade: UInt64, depth: UInt32) {
      self.transition = transition
      self.cascade = cascade
      self.depth = depth
    }
  }

  /// The runs of one feedback under one key.
  struct Slot {
    /// Due or running, oldest first.
    var alive: [RunID] = []
    /// Cancelled in this session and not ended yet.
    var ending: Set<RunID> = []
    var waiting: [RunID] = []
    /// Ended, with answers that may still be in the queue.
    var answered: [RunID] = []

    var isEmpty: Bool {
      alive.isEmpty && ending.isEmpty && waiting.isEmpty && answered.isEmpty
    }
  }

  /// What is kept of runs that have ended for the sake of answers that may still be in the queue.
  struct Ended {
    /// Runs in `withdrawn`.
    var spent: [RunID] = []
    /// Slots with runs in `answered`.
    var slots: [(feedback: Int, key: RunKey?)] = []

    var isEmpty: Bool { spent.isEmpty && slots.isEmpty }
  }

  struct Member {
    let policy: Policy.Kind
    var nextSerial: UInt64 = 1
    /// Runs below this number have lost their lease.
    var lowestValid: UInt64 = 0
    /// The runs of a feedback without keys.
    var slot = Slot()
    /// The runs of each element, for a feedback with keys.
    var keyedSlots: [RunKey: Slot] = [:]
  }

  var members: [Member]
  /// Runs at or above `lowestValid` that have lost their lease all the same.
  var withdrawn: Set<RunID> = []
  /// What nobody asks for once the answers are handled that are in the queue, in two generations: a
  /// queue that is never empty would keep it for ever otherwise.
  var young = Ended()
  var old = Ended()
  /// By how many ways somebody can still send for a run.
  var voices: [RunID: Int] = [:]
  package internal(set) var runs = RunTable()
  package internal(set) var session = 0
  /// What the last stop cut off: its triggers are evaluated anew (law 10).
  var cutOff: [Int: Set<RunKey?>] = [:]
  package internal(set) var effects: [Effect] = []
  /// How many runs keep the context from being quiet.
  package internal(set) var busyCount = 0

  package init(policies: [Policy.Kind]) {
    members = policies.map { Member(policy: $0) }
  }

  /// How much is on record: runs, lost leases, and what is kept for the keys.
  package var recordCount: Int {
    runs.count + withdrawn.count + voices.count + endedCount
      + members.reduce(0) { $0 + $1.keyedSlots.count + ($1.slot.isEmpty ? 0 : 1) }
  }

  /// How much is kept for answers that may still be in the queue.
  package var endedCount: Int {
    young.spent.count + young.slots.count + old.spent.count + old.slots.count
  }

  /// Whether no run keeps the context from being quiet.
  package var isQuiet: Bool { busyCount == 0 }

  /// Whether a run is to start.
  package func isDue(_ id: RunID) -> Bool { runs[id]?.phase == .due }

  /// Whether something is to be done.
  package var hasEffects: Bool { !effects.isEmpty }

  /// Takes what is to be done.
  package mutating func takeEffects() -> [Effect] {
    guard !effects.isEmpty else { return [] }
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  /// Changes a run and keeps the count of the busy ones.
  mutating func update(_ id: RunID, _ change: (inout Run) -> Void) {
    let session = session
    let change = runs.update(id) { run in
      let wasBusy = run.isBusy
      change(&run)
      return run.session == session ? (run.isBusy ? 1 : 0) - (wasBusy ? 1 : 0) : 0
    }
    busyCount += change ?? 0
  }

  mutating func insert(_ run: Run, as id: RunID) {
    runs.insert(run, as: id)
    if run.isBusy && run.session == session { busyCount += 1 }
  }

  @discardableResult
  mutating func remove(_ id: RunID) -> Run? {
    guard let run = runs.remove(id) else { return nil }
    if !withdrawn.isEmpty, withdrawn.contains(id) { young.spent.append(id) }
    if run.isBusy && run.session == session { busyCount -= 1 }
    return run
  }

  /// Changes the runs under a key, and forgets the key when none are left.
  mutating func withSlot<Result>(
    _ feedback: Int, _ key: RunKey?, _ body: (inout Slot) -> Result
  ) -> Result {
    guard let key else { return body(&members[feedback].slot) }
    let result = body(&members[feedback].keyedSlots[key, default: Slot()])
    if members[feedback].keyedSlots[key]?.isEmpty == true {
      members[feedback].keyedSlots[key] = nil
    }
    return result
  }

  /// The runs under a key.
  func slot(_ feedback: Int, _ key: RunKey?) -> Slot? {
    guard let key else { return members[feedback].slot }
    return members[feedback].keyedSlots[key]
  }

  /// The keys of a feedback that have runs; nil stands for a feedback without keys.
  func keys(of feedback: Int) -> [RunKey?] {
    [nil] + members[feedback].keyedSlots.keys.map { $0 }
  }
}

// MARK: - Leases

extension Machine {
  /// Whether an answer of the run may be reduced (law 6).
  package func holdsLease(_ id: RunID) -> Bool {
    id.serial >= members[id.feedback].lowestValid
      && (withdrawn.isEmpty || !withdrawn.contains(id))
  }

  /// The same for a machine that stands in memory: code in another module would copy it for a method.
  @usableFromInline
  static func holdsLease(_ id: RunID, in machine: inout Machine) -> Bool {
    machine.holdsLease(id)
  }

  /// Gives a number to a run that ends within its trigger: a synchronous body.
  @usableFromInline
  package mutating func answered(_ feedback: Int) -> RunID {
    let serial = members[feedback].nextSerial
    members[feedback].nextSerial = serial + 1
    switch members[feedback].policy {
    case .latest, .latestAfterCleanup: members[feedback].lowestValid = serial
    case .overlapping, .dropping: break
    }
    return RunID(feedback: feedback, serial: serial)
  }

  /// The same for a body that belongs to one key of a level.
  package mutating func answered(_ feedback: Int, key: RunKey) -> RunID {
    let id = takeNumber(feedback)
    let replaces =
      members[feedback].policy == .latest
      || members[feedback].policy == .latestAfterCleanup
    young.slots.append((feedback, key))
    let replaced = withSlot(feedback, key) { slot in
      let replaced = replaces ? slot.answered : []
      slot.answered.removeAll { replaced.contains($0) }
      slot.answered.append(id)
      return replaced
    }
    withdrawEnded(replaced)
    return id
  }

  /// Takes the lease of runs that have ended and whose answers may still be in the queue.
  mutating func withdrawEnded(_ ids: [RunID]) {
    withdrawn.formUnion(ids)
    young.spent.append(contentsOf: ids)
  }

  mutating func takeNumber(_ feedback: Int) -> RunID {
    let serial = members[feedback].nextSerial
    members[feedback].nextSerial = serial + 1
    return RunID(feedback: feedback, serial: serial)
  }

  /// Notes that a run can be heard of until it falls silent, even if it ends before.
  package mutating func giveVoice(to id: RunID) {
    voices[id, default: 0] += 1
  }

  /// Notes that nothing will come of these runs any more.
  package mutating func fellSilent(_ ids: [RunID]) {
    for id in ids {
      guard let count = voices[id] else { continue }
      voices[id] = count > 1 ? count - 1 : nil
    }
  }

  /// Notes that no answer is queued any more, so that leases of runs that ended are nobody's concern,
  /// unless there is something left behind that can still send.
  package mutating func queueDidEmpty() {
    ageEnded()
    ageEnded()
  }

  /// Notes that all answers are handled that were queued when this was called before.
  package mutating func ageEnded() {
    let forgotten = old
    old = young
    young = Ended()
    let audible = voices
    if !forgotten.spent.isEmpty {
      withdrawn.subtract(forgotten.spent.filter { audible[$0] == nil })
      young.spent = forgotten.spent.filter { audible[$0] != nil }
    }
    for (feedback, key) in forgotten.slots {
      let isHeard = withSlot(feedback, key) { slot in
        slot.answered.removeAll { audible[$0] == nil }
        return !slot.answered.isEmpty
      }
      if isHeard { young.slots.append((feedback, key)) }
    }
  }
}
