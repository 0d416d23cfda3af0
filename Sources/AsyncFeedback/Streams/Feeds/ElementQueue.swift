/// A queue in a ring of optional places, of which each has a number for good.
@usableFromInline
package struct ElementQueue<Element> {
  @usableFromInline var places: [Element?] = []
  /// The number of the first place.
  @usableFromInline var first = 0
  @usableFromInline var count = 0

  @inlinable
  init() {}

  /// The number that the next element will have.
  @inlinable var end: Int { first &+ count }

  @inlinable
  subscript(number: Int) -> Element? {
    get { places[number & (places.count &- 1)] }
    _modify { yield &places[number & (places.count &- 1)] }
  }

  @inlinable
  mutating func append(_ element: Element) {
    if count == places.count { grow() }
    self[end] = element
    count &+= 1
  }

  @inlinable
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      first &+= 1
      count &-= 1
    }
    return self[first].take()
  }

  @inlinable
  mutating func grow() {
    var larger = [Element?](repeating: nil, count: max(16, places.count * 2))
    for number in first..<end { larger[number & (larger.count &- 1)] = self[number] }
    places = larger
  }
}

extension ElementQueue: Sendable where Element: Sendable {}
