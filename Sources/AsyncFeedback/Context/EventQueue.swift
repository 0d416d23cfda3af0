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
