/// What a run of a feed is told of the feed.
@usableFromInline
package struct FeedSetting: Sendable {
  @usableFromInline let counters: FeedCounters
  /// Tells of the run; without one nobody listens.
  @usableFromInline let reporter: FeedReporter?
}

/// A run with its producer's end.
@usableFromInline
package struct FeedLine<Input, Element: Sendable>: Sendable {
  let run: any FeedRun<Element>
  let send: @Sendable (Input) -> Bool

  @usableFromInline
  init(run: any FeedRun<Element>, send: @escaping @Sendable (Input) -> Bool) {
    self.run = run
    self.send = send
  }
}
