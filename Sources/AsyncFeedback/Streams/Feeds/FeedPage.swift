/// Elements in a row, in a ring of memory that grows by doubling.
///
/// It has no owner: whoever made it destroys it.
@usableFromInline
package struct FeedPage<Element> {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  /// A power of two.
  @usableFromInline var capacity: Int
  @usableFromInline var start = 0
  @usableFromInline var count = 0

  @inlinable
  init() {
    capacity = 16
    base = .allocate(capacity: capacity)
  }

  /// The place of an element, counted from the first.
  @inlinable
  @inline(__always)
  func place(_ index: Int) -> UnsafeMutablePointer<Element> {
    base + ((start &+ index) & (capacity &- 1))
  }

  @inlinable
  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if count == capacity { grow() }
    place(count).initialize(to: element)
    count &+= 1
  }

  @inlinable
  mutating func removeFirst() -> Element {
    let element = place(0).move()
    start = (start &+ 1) & (capacity &- 1)
    count &-= 1
    return element
  }

  @inlinable
  mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    for index in 0..<count { (larger + index).moveInitialize(from: place(index), count: 1) }
    base.deallocate()
    base = larger
    capacity *= 2
    start = 0
  }

  /// Lets go of all elements from an index on.
  func clear(from index: Int = 0) {
    for index in index..<max(index, count) { place(index).deinitialize(count: 1) }
  }

  /// Forgets elements that are gone already.
  @inlinable
  mutating func reset() {
    start = 0
    count = 0
  }
}

// Its memory is reached by one side at a time, as whoever made it says.
extension FeedPage: @unchecked Sendable where Element: Sendable {}
