extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Waits for a pause: the newest element goes on when none has come for the duration.
  ///
  /// An element that comes in the very instant in which an earlier one is due replaces it. The one that
  /// waits is not lost: at the end it comes at once, and an error after it. When the consumer is busy, the
  /// newest that has gone on waits for it.
  ///
  /// The sequence has to be `Sendable`, since a task of its own iterates it beside the timer; its iterator
  /// need not be. The task starts with the first request, and is cancelled when the consumer is or goes;
  /// the sequence is kept until then. In a feedback, prefer `Feedback.debounced(for:clock:)`: the context
  /// knows of what waits there.
  public func debounced(
    for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Feed<Element, Failure> {
    paced(Pace(.debounce, duration: duration, clock: clock), "debounced")
  }

  /// Lets the first element through at once and then at most one per window, the newest.
  ///
  /// An element that waited for the end of its window opens the next one. The one that waits is not lost:
  /// at the end it comes at once, and an error after it. When the consumer is busy, the newest that has
  /// gone through waits for it. What it takes is as with ``debounced(for:clock:)``.
  public func throttled(
    for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Feed<Element, Failure> {
    paced(Pace(.throttle, duration: duration, clock: clock), "throttled")
  }

  private func paced(_ pace: Pace, _ name: String) -> Feed<Element, Failure> {
    pumped(name) { setting, drain in
      let run = ShelfRun(setting, drain, PacedBuffer<Element>(pace), timer: pace.timer)
      return FeedLine(run: run) { run.send($0) }
    }
  }

  /// Folds what comes within a window of time into one batch.
  ///
  /// A window opens with the first element that comes after the last batch was taken; the batch can be
  /// had at its end. A full batch can be had at once, and until it is taken the sequence is asked for
  /// nothing more: no element is lost. The batch that is pending at the end comes at once, and an error
  /// after it. What it takes is as with ``debounced(for:clock:)``.
  ///
  /// - Parameters:
  ///   - limit: how many elements a batch is made of at the most; must be positive.
  ///   - empty: what a batch begins with.
  ///   - fold: adds an element. It should be quick.
  public func coalesced<Batch: Sendable>(
    over window: Duration, limit: Int, clock: any Clock<Duration> = ContinuousClock(),
    into empty: Batch, _ fold: @escaping @Sendable (inout Batch, Element) -> Void
  ) -> Feed<Batch, Failure> {
    let policy = FeedPolicy<Element, Batch>.coalesced(
      over: window, limit: limit, clock: clock, into: empty, fold)
    return pumped("coalesced", policy.makeLine)
  }

  /// Gathers what comes within a window of time into one array, as
  /// ``coalesced(over:limit:clock:into:_:)`` does.
  public func coalesced(
    over window: Duration, limit: Int, clock: any Clock<Duration> = ContinuousClock()
  ) -> Feed<[Element], Failure> {
    coalesced(over: window, limit: limit, clock: clock, into: []) { $0.append($1) }
  }

  /// Feeds a line from a task that iterates the sequence.
  private func pumped<Output: Sendable>(
    _ name: String, _ makeLine: @escaping FeedPolicy<Element, Output>.MakeLine
  ) -> Feed<Output, Failure> {
    Feed(makeLine, place: FeedPlace(name: name), isReported: false) { input, consumer in
      let pump = Task<Void, Never>(executorPreference: taskExecutor(for: consumer)) {
        await iterate(into: input)
      }
      return { pump.cancel() }
    }
  }

  private func iterate(into input: FeedInput<Element, Failure>) async {
    // Kept for the whole run: an iterator need not keep its sequence alive (case E19).
    defer { withExtendedLifetime(self) {} }
    var iterator = makeAsyncIterator()
    do throws(Failure) {
      var count = 0
      while true {
        await input.mouth.run.room()
        guard !Task.isCancelled, let element = try await iterator.next(isolation: nil),
          input.send(element) || !input.isOver
        else { break }
        count += 1
        // A sequence that never suspends would hold a thread for ever.
        if count.isMultiple(of: 128) { await Task.yield() }
      }
      input.finish()
    } catch {
      input.finish(throwing: error)
    }
  }
}

/// The executor that a task beside the calling one should prefer, so that both are driven together.
private func taskExecutor(for consumer: (any Actor)?) -> (any TaskExecutor)? {
  if let preference = (consumer as? Lane)?.preference { return preference }
  #if compiler(>=6.3)
    if #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) {
      return withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
    }
  #endif
  return nil
}
