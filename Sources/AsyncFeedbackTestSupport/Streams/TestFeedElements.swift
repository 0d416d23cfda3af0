/// The sequence of one run of a ``TestFeed``, for one consumer.
public struct TestFeedElements<Element: Sendable>: AsyncSequence, Sendable {
  /// What the test says may be any error.
  public typealias Failure = any Error

  private let hold: TestFeedHold<Element>

  init(_ run: TestFeedRun<Element>) {
    hold = TestFeedHold(run)
  }

  /// Makes the consumer.
  public func makeAsyncIterator() -> Iterator {
    Iterator(hold)
  }

  /// The consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private let hold: TestFeedHold<Element>

    init(_ hold: TestFeedHold<Element>) {
      self.hold = hold
    }

    /// Waits for the next element; nil at the end, and when the task is cancelled.
    public mutating func next() async throws -> Element? {
      try await next(isolation: nil)
    }

    /// Waits for the next element; nil at the end, and when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await hold.run.next(isolation: actor)
    }
  }
}

/// Ends a run when nobody is left who could consume it.
final class TestFeedHold<Element: Sendable>: Sendable {
  let run: TestFeedRun<Element>

  init(_ run: TestFeedRun<Element>) {
    self.run = run
  }

  deinit {
    run.letGo()
  }
}
