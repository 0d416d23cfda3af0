/// The part of a feedback that looks at the state after each transition and says what it saw.
///
/// What it last saw stands in a slot of memory that the runtime hands to each of its functions. The
/// runtime keeps the slots of all sensors side by side, which is what makes a thousand feedbacks cheap.
@usableFromInline
package struct Sensor<System: SystemProtocol>: Sendable {
  /// Where the state stands.
  public typealias Look = UnsafePointer<System.State>
  /// Where the sensor keeps what it saw.
  public typealias Slot = UnsafeMutableRawPointer
  /// Looks at the state and the event; true if the sensor fires.
  public typealias Check =
    @Sendable (inout System.State, UnsafePointer<System.Event>?, Slot) -> Bool

  /// When a sensor fires at the start of a loop, and what its firing means.
  @usableFromInline
  package enum Kind: Sendable {
    /// Fires at the first loop.
    case once
    /// Fires at the first loop and when its check says so.
    case change
    /// Fires at the first loop and after each transition if its check says so.
    case condition
    /// Fires when its check finds what it looks for in an event.
    case event
    /// Comes and goes: `presence` says what its check saw.
    case level
  }

  @usableFromInline package let kind: Kind
  package let size: Int
  package let alignment: Int
  /// Puts a first content, which has seen nothing yet, into the slot.
  package let initialize: @Sendable (Look, Slot) -> Void
  /// Tells whether the sensor fires, and notes in the slot what it saw.
  package let check: Check
  /// Empties the slot.
  package let deinitialize: @Sendable (Slot) -> Void
  /// For a level: what the last check that fired has changed.
  package let changes: @Sendable (Slot) -> [LevelChange]
  /// For a level: whether the key is there, as last seen.
  package let isPresent: @Sendable (Slot, RunKey?) -> Bool
  /// The word for this trigger in a derived name.
  @usableFromInline package let word: String

  @usableFromInline
  package init<Memory>(
    _ kind: Kind, word: String, memory: @escaping @Sendable (Look) -> Memory,
    check: @escaping Check,
    changes: @escaping @Sendable (Slot) -> [LevelChange] = { _ in [] },
    isPresent: @escaping @Sendable (Slot, RunKey?) -> Bool = { _, _ in true }
  ) {
    self.kind = kind
    self.word = word
    size = MemoryLayout<Memory>.size
    alignment = MemoryLayout<Memory>.alignment
    initialize = { look, slot in slot.initializeMemory(as: Memory.self, to: memory(look)) }
    self.check = check
    deinitialize = { slot in slot.assumingMemoryBound(to: Memory.self).deinitialize(count: 1) }
    self.changes = changes
    self.isPresent = isPresent
  }
}

/// What happened to one key of a level.
@usableFromInline
package struct LevelChange: Sendable {
  @usableFromInline
  package enum Kind: Sendable {
    case entered, replaced, left
  }

  package let key: RunKey?
  @usableFromInline package let kind: Kind

  @usableFromInline
  package init(key: RunKey?, kind: Kind) {
    self.key = key
    self.kind = kind
  }
}

/// A sensor together with the value that it hands to a body.
@usableFromInline
package struct Source<System: SystemProtocol, Payload: Sendable>: Sendable {
  /// Reads the value for a body from the state, the slot and the key.
  public typealias Read = @Sendable (Sensor<System>.Look, Sensor<System>.Slot, RunKey?) -> Payload

  @usableFromInline package let sensor: Sensor<System>
  @usableFromInline package let payload: Read

  @usableFromInline
  package init(sensor: Sensor<System>, payload: @escaping Read) {
    self.sensor = sensor
    self.payload = payload
  }
}
