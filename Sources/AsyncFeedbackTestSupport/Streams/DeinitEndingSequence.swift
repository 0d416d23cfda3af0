/// A sequence that is an object, and ends when the object goes.
///
/// Many sources that wrap a callback are such: the object removes its listener in `deinit`. An iterator does
/// not keep its sequence alive, so whoever consumes one has to, or it ends before its first element. This one
/// shows whether he does. ``TestFeed/makeEndingInDeinit()`` makes it.
public final class DeinitEndingSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// What the test says may be any error.
  public typealias Failure = any Error

  private let run: TestFeedRun<Element>

  init(_ run: TestFeedRun<Element>) {
    self.run = run
  }

  deinit {
    run.endWithObject()
  }

  /// Makes the consumer, which does not keep this object alive.
  public func makeAsyncIterator() -> TestFeedElements<Element>.Iterator {
    TestFeedElements.Iterator(TestFeedHold(run))
  }
}
