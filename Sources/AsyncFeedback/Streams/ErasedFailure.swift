extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// The same sequence, whose failures may be of any type.
  ///
  /// For an override of `StreamValue.makeStream()` whose sequence never fails, or fails with one type.
  public func erasingFailure() -> any AsyncSequence<Element, any Error> & Sendable {
    ErasedFailure(base: self)
  }
}

/// The same sequence, whose failures may be of any type, for one that stays where it is.
package func erasingFailure<Elements: AsyncSequence>(
  of elements: Elements
) -> any AsyncSequence<Elements.Element, any Error> where Elements.Element: Sendable {
  ErasedFailure(base: elements)
}

/// A sequence with its failures as `any Error`.
private struct ErasedFailure<Base: AsyncSequence>: AsyncSequence {
  let base: Base

  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator

    mutating func next() async throws -> Base.Element? {
      try await next(isolation: nil)
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Base.Element? {
      try await base.next(isolation: actor)
    }
  }
}

extension ErasedFailure: Sendable where Base: Sendable {}
