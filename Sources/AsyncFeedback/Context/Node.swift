/// A feedback at work in one context.
///
/// The hot loop goes through these without retaining them: what it reads is constant.
@usableFromInline
package final class Node<System: SystemProtocol> {
  @usableFromInline let check: Sensor<System>.Check
  @usableFromInline let slot: UnsafeMutableRawPointer
  @usableFromInline let index: Int
  /// The body, if it is synchronous and its trigger an edge without a pace: the one the hot loop runs.
  @usableFromInline let answer:
    (@Sendable (Sensor<System>.Look, Sensor<System>.Slot, RunKey?) -> System.Event?)?
  /// The rest, apart, so that a thousand nodes stand close together.
  let details: NodeDetails<System>

  init(
    _ details: NodeDetails<System>, index: Int, look: Sensor<System>.Look,
    slot: UnsafeMutableRawPointer
  ) {
    let feedback = details.feedback
    self.index = index
    self.slot = slot
    check = feedback.sensor.check
    self.details = details
    if case .answer(let answer) = feedback.reaction, !details.isLevel, feedback.pace == nil {
      self.answer = answer
    } else {
      answer = nil
    }
    feedback.sensor.initialize(look, slot)
  }
}

/// What is needed of a feedback only when it reacts.
final class NodeDetails<System: SystemProtocol> {
  let feedback: Feedback<System>
  let isLevel: Bool
  /// The pace of the triggers.
  let pace: Pace?
  /// The pace of a source that paces its elements itself.
  let elementPace: Pace?
  /// Starts a run; nil for a body that answers at once.
  let makeWork:
    (
      @Sendable (Sensor<System>.Look, Sensor<System>.Slot, RunKey?, Pace?)
        -> WorkRecord<System.Event>
    )?

  let hasModifiers: Bool

  init(_ feedback: Feedback<System>) {
    self.feedback = feedback
    hasModifiers = !feedback.modifiers.isEmpty
    pace = feedback.pacesElements ? nil : feedback.pace
    elementPace = feedback.pacesElements ? feedback.pace : nil
    isLevel = if case .level = feedback.sensor.kind { true } else { false }
    makeWork = if case .run(let makeWork, _) = feedback.reaction { makeWork } else { nil }
  }

  /// Makes of a run's work what the modifiers say, the innermost first.
  func modify(_ record: WorkRecord<System.Event>) {
    for modifier in feedback.modifiers { record.work = modifier(record.work) }
  }
}

/// The nodes of a context, with what each saw last side by side in one stretch of memory.
// Owned and reached by one driver, on its executor.
@usableFromInline
package final class NodeList<System: SystemProtocol> {
  @usableFromInline let unretained: UnsafeMutableBufferPointer<Unmanaged<Node<System>>>
  let nodes: [Node<System>]
  private let memory: UnsafeMutableRawPointer

  init(_ feedbacks: [Feedback<System>], look: Sensor<System>.Look) {
    var offsets: [Int] = []
    var size = 0
    for feedback in feedbacks {
      let alignment = feedback.sensor.alignment
      size = (size + alignment - 1) / alignment * alignment
      offsets.append(size)
      size += feedback.sensor.size
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 64)
    self.memory = memory
    // All details first, so that nothing else comes to stand between the nodes.
    let details = feedbacks.map { NodeDetails($0) }
    let nodes = details.indices.map { index in
      Node(details[index], index: index, look: look, slot: memory + offsets[index])
    }
    self.nodes = nodes
    unretained = .allocate(capacity: nodes.count)
    _ = unretained.initialize(from: nodes.map { Unmanaged.passUnretained($0) })
  }

  deinit {
    unretained.deallocate()
    for node in nodes { node.details.feedback.sensor.deinitialize(node.slot) }
    memory.deallocate()
  }
}

/// Something that wants to know when a value of the state has changed: a field that a view reads, or a
/// consumer of `values(of:)`.
@usableFromInline
package final class Watcher<System: SystemProtocol> {
  @usableFromInline let check: @Sendable (Sensor<System>.Look, UnsafeMutableRawPointer) -> Bool
  @usableFromInline let slot: UnsafeMutableRawPointer
  private let deinitialize: @Sendable (UnsafeMutableRawPointer) -> Void
  /// Whether it has ended and is to be taken off the list.
  var hasEnded = false
  /// Tells about the change; false when the watch ends with that.
  let notify: (Sensor<System>.Look) -> Bool

  /// - Parameters:
  ///   - value: reads the watched value.
  ///   - isUnchanged: gets the value last seen and the present one.
  init<Value>(
    _ look: Sensor<System>.Look, value: @escaping @Sendable (System.State) -> Value,
    isUnchanged: @escaping @Sendable (Value, Value) -> Bool,
    notify: @escaping (Sensor<System>.Look) -> Bool
  ) {
    slot = .allocate(
      byteCount: max(MemoryLayout<Value>.size, 1), alignment: MemoryLayout<Value>.alignment)
    slot.initializeMemory(as: Value.self, to: value(look.pointee))
    check = { look, slot in
      let seen = slot.assumingMemoryBound(to: Value.self)
      let present = value(look.pointee)
      if isUnchanged(seen.pointee, present) { return false }
      seen.pointee = present
      return true
    }
    deinitialize = { slot in slot.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    self.notify = notify
  }

  deinit {
    deinitialize(slot)
    slot.deallocate()
  }
}
