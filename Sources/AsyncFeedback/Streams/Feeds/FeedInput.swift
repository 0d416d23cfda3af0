/// The producer's end of a feed.
///
/// It may be used from any thread and isolation, copied and kept. When the last copy goes without having
/// finished, the feed ends: nobody could send any more.
public struct FeedInput<Input: Sendable, Failure: Error>: Sendable {
  @usableFromInline let mouth: FeedMouth<Input>

  /// Sends an element.
  ///
  /// It never waits. What is to be made of an element before, parsing say, is made here, by whoever
  /// sends, on his thread.
  ///
  /// - Returns: whether it was taken; false when there was no room for it (`oldest`, a full batch), and
  ///   when the feed is over, where it costs next to nothing.
  @discardableResult
  public func send(_ element: Input) -> Bool {
    mouth.send(element)
  }

  /// Ends the feed: the consumer gets what waits, and then the end.
  ///
  /// The producer is told to stop before this returns; within `start`, as soon as that has returned what
  /// stops it. It does nothing when the feed is over.
  public func finish() {
    mouth.run.finish(nil)
  }

  /// Ends the feed with an error, which the consumer gets after what waits.
  public func finish(throwing failure: Failure) {
    mouth.run.finish(failure)
  }

  /// Whether the feed is over, so that nothing is taken any more.
  public var isOver: Bool {
    mouth.run.withCore { !$0.isOpen }
  }
}

/// What the copies of an input share: it ends the run when it goes.
@usableFromInline
package final class FeedMouth<Input>: Sendable {
  let run: any FeedRun
  @usableFromInline let send: @Sendable (Input) -> Bool

  init(run: any FeedRun, send: @escaping @Sendable (Input) -> Bool) {
    self.run = run
    self.send = send
  }

  deinit {
    run.finish(nil)
  }
}
