/// What waits for its turn: an event, or a place for a binding's write, with its cause.
@usableFromInline
package struct Entry<Event> {
  @usableFromInline
  package struct Kind: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// An answer of a feedback, which can lose its lease.
    @inlinable package static var answer: Kind { Kind(rawValue: 1) }
    /// A write of a binding; the write itself waits in a queue of its own.
    @inlinable package static var binding: Kind { Kind(rawValue: 2) }
    /// Somebody may hold a receipt for it.
    @inlinable package static var ticketed: Kind { Kind(rawValue: 4) }
    /// The ticket is one of the senders outside the executor.
    @inlinable package static var remote: Kind { Kind(rawValue: 8) }
  }

  /// The event, or nil for a binding's write.
  @usableFromInline package var event: Event?
  @usableFromInline package var kind: Kind
  /// The line of the sender, or how many events caused each other before this one.
  @usableFromInline package var detail: UInt32
  /// The file of the sender (the address of its name), or the number of the run that answered.
  @usableFromInline package var origin: UInt64
  /// What this event is part of: everything that one event from outside has caused has one number.
  @usableFromInline package var cascade: UInt64

  @inlinable
  package init(event: Event?, kind: Kind, detail: UInt32, origin: UInt64, cascade: UInt64) {
    self.event = event
    self.kind = kind
    self.detail = detail
    self.origin = origin
    self.cascade = cascade
  }

  /// How many events caused each other before this one.
  @inlinable
  package var depth: UInt32 { kind.contains(.answer) ? detail : 0 }
}

/// A first-in first-out queue whose cost for an element does not depend on its length.
///
/// It is a chain of blocks, so it never copies what it holds, gives memory back as it is emptied, and
/// takes hardly more than the elements themselves.
@usableFromInline
package struct EventQueue<Element>: ~Copyable {
  @usableFromInline
  package struct Block {
    @usableFromInline var next: UnsafeMutablePointer<Block>?
    @usableFromInline let elements: UnsafeMutablePointer<Element>

    @inlinable
    init(elements: UnsafeMutablePointer<Element>) {
      next = nil
      self.elements = elements
    }
  }

  @inlinable static var blockSize: Int { 1024 }

  @usableFromInline var head: UnsafeMutablePointer<Block>
  @usableFromInline var tail: UnsafeMutablePointer<Block>
  @usableFromInline var first = 0
  @usableFromInline var end = 0
  /// The last block that was emptied, so that a queue which breathes does not allocate.
  @usableFromInline var spare: UnsafeMutablePointer<Block>?
  @usableFromInline package private(set) var count = 0

  @inlinable
  package init() {
    head = Self.makeBlock()
    tail = head
  }

  @inlinable
  deinit {
    var next: UnsafeMutablePointer<Block>? = head
    var first = first
    while let block = next {
      next = block.pointee.next
      let end = next == nil ? end : Self.blockSize
      (block.pointee.elements + first).deinitialize(count: end - first)
      Self.free(block)
      first = 0
    }
    if let spare { Self.free(spare) }
  }

  @inlinable
  package var isEmpty: Bool { count == 0 }

  @inlinable
  package mutating func append(_ element: consuming Element) {
    if end == Self.blockSize { grow() }
    (tail.pointee.elements + end).initialize(to: element)
    end += 1
    count += 1
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    if count == 0 { return nil }
    if first == Self.blockSize { shrink() }
    count -= 1
    first += 1
    let element = (head.pointee.elements + (first - 1)).move()
    if count == 0 {
      first = 0
      end = 0
    }
    return element
  }

  /// Calls the closure with each element, the first one first.
  package borrowing func forEach(_ body: (Element) -> Void) {
    var left = count
    var block = head
    var index = first
    while left > 0 {
      if index == Self.blockSize, let next = block.pointee.next {
        block = next
        index = 0
      }
      body(block.pointee.elements[index])
      index += 1
      left -= 1
    }
  }

  @inlinable
  mutating func grow() {
    let block = spare ?? Self.makeBlock()
    spare = nil
    tail.pointee.next = block
    tail = block
    end = 0
  }

  @inlinable
  mutating func shrink() {
    guard let next = head.pointee.next else {
      preconditionFailure("a queue that is not empty must have a block (had none)")
    }
    let emptied = head
    head = next
    first = 0
    emptied.pointee.next = nil
    if spare == nil { spare = emptied } else { Self.free(emptied) }
  }

  @inlinable
  static func makeBlock() -> UnsafeMutablePointer<Block> {
    let block = UnsafeMutablePointer<Block>.allocate(capacity: 1)
    block.initialize(to: Block(elements: .allocate(capacity: blockSize)))
    return block
  }

  @inlinable
  static func free(_ block: UnsafeMutablePointer<Block>) {
    block.pointee.elements.deallocate()
    block.deallocate()
  }
}
