/// The latest element of each key, in the order in which the keys began to wait.
@usableFromInline
package struct KeyedBuffer<Element: Sendable, Key: Hashable & Sendable>: FeedBuffer {
  @usableFromInline var elements = ElementQueue<(key: Key, element: Element)>()
  @usableFromInline var numbers: [Key: Int] = [:]
  @usableFromInline let key: @Sendable (Element) -> Key
  @usableFromInline let limit: Int
  @usableFromInline var gap = 0

  @inlinable
  init(by key: @escaping @Sendable (Element) -> Key, limit: Int) {
    self.key = key
    self.limit = limit
  }

  @inlinable package var depth: Int { elements.count }
  @inlinable package var isFull: Bool { elements.count >= limit }
  @inlinable package var isReady: Bool { elements.count > 0 }
  @inlinable package var deadline: Duration? { nil }

  @inlinable
  package mutating func receive(_ input: Element, at now: () -> Duration) -> FeedIntake<Element> {
    let key = key(input)
    if let number = numbers[key] {
      let replaced = elements[number]?.element
      elements[number]?.element = input
      return .coalesced(1, replaced)
    }
    var displaced: Element?
    if isFull, let oldest = elements.popFirst() {
      numbers[oldest.key] = nil
      displaced = oldest.element
      gap &+= 1
    }
    numbers[key] = elements.end
    elements.append((key, input))
    return displaced.map { .displaced($0) } ?? .kept
  }

  @inlinable
  package mutating func takeGap() -> Int {
    defer { gap = 0 }
    return gap
  }

  @inlinable
  package mutating func take(at now: Duration, isClosed: Bool) -> (element: Element, count: Int)? {
    guard let first = elements.popFirst() else { return nil }
    numbers[first.key] = nil
    return (first.element, 1)
  }
}
