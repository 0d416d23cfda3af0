/// An element of a feed, or the news that some are missing.
public enum FeedStep<Element: Sendable>: Sendable {
  /// The next element.
  case element(Element)
  /// So many were dropped between the element before and the one after.
  case gap(Int)
}

extension FeedStep: Equatable where Element: Equatable {}

/// The elements of a feed with the gaps between them, see ``Feed/withGaps``.
///
/// The gaps are exact, in number and place. One that goes on while it is told of is told of again with
/// what was dropped since. What was coalesced is no gap.
public struct FeedWithGaps<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  let begin: FeedReader<Element, Failure>.Begin

  /// Makes a consumer, with a run of its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: FeedReader(begin: begin))
  }

  /// One consumer.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: FeedReader<Element, Failure>

    /// Waits for the next element or gap; nil after the end, and when the task is cancelled.
    public mutating func next() async throws(Failure) -> FeedStep<Element>? {
      try await next(isolation: nil)
    }

    /// Waits for the next element or gap; nil after the end, and when the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> FeedStep<Element>? {
      try await reader.step(tellingGaps: true, isolation: actor)
    }
  }
}
