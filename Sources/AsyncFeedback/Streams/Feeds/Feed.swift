/// A callback, a delegate or a publisher as a sequence, with a bound on what waits.
///
/// ```swift
/// final class Thermometer: Sendable {
///   func observe(_ report: @escaping @Sendable (Double) -> Void) -> Int { 1 }
///   func remove(_ observer: Int) {}
/// }
///
/// func temperatures(of thermometer: Thermometer) -> Feed<Double, Never> {
///   Feed(.newest(100)) { input in
///     let observer = thermometer.observe { input.send($0) }
///     return { thermometer.remove(observer) }
///   }
/// }
/// ```
///
/// - A feed is a recipe. Each iteration starts the producer anew, when it first asks for an element, in
///   the consumer's isolation; one that is cancelled by then starts nothing.
/// - What `start` returns stops the producer. It is called exactly once for each start: when the
///   consumer's task is cancelled, when the consumer leaves its loop, or when the producer finishes,
///   whatever comes first. After it nothing is delivered and nothing is taken (but what waits when the
///   producer finishes is). It may be called on any thread, also within `start` or `finish`.
/// - What waits is bounded by the policy. What goes is counted, see ``FeedCounters``, and the consumer can
///   be told in the right place of the order, see ``withGaps``.
/// - Elements take no hop between actors: they may be sent from any thread, and the consumer takes them
///   where it is. While it is busy nobody wakes it.
/// - The error comes after all that waits. `Failure` is `Never` for a feed that only ends; it is iterated
///   without `try`.
///
/// A consumer that is cancelled while it is busy with an element stops the producer when it asks for the
/// next one or goes, whatever comes first. An iterator is for one task at a time.
public struct Feed<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// Makes a run and starts its producer, for a consumer in an isolation.
  private let begin: FeedReader<Element, Failure>.Begin
  private let place: FeedPlace

  /// Makes a feed.
  ///
  /// - Parameters:
  ///   - policy: what is kept for a consumer that is slower than the producer.
  ///   - name: what reports and counts call it; by default where it is made.
  ///   - key: which of several feeds of this name it is: a room, a symbol. Keys are told apart as they
  ///     are `Hashable`, and shown as they are described.
  ///   - board: where its counts are to be listed, shared with all feeds of its name and key. Without one
  ///     they belong to this feed and its copies, and of two feeds made with one name and key nobody
  ///     notices that they are consumed at once, unless runs of one context do.
  ///   - monitor: is told of what happens, in addition to the monitor of the context that iterates it.
  ///   - start: starts the producer and returns what stops it.
  public init<Input: Sendable>(
    _ policy: FeedPolicy<Input, Element>, name: String? = nil,
    key: (any Hashable & Sendable)? = nil, board: FeedBoard? = nil,
    monitor: (any FeedMonitor)? = nil, fileID: String = #fileID, line: Int = #line,
    start: @escaping @Sendable (FeedInput<Input, Failure>) -> @Sendable () -> Void
  ) {
    self.init(
      policy.makeLine, place: FeedPlace(name: name ?? "\(fileID):\(line)", key: key, board: board),
      monitor: monitor, isReported: true
    ) { input, _ in start(input) }
  }

  init<Input: Sendable>(
    _ makeLine: @escaping FeedPolicy<Input, Element>.MakeLine, place: FeedPlace,
    monitor: (any FeedMonitor)? = nil, isReported: Bool,
    start: @escaping @Sendable (FeedInput<Input, Failure>, (any Actor)?) -> @Sendable () -> Void
  ) {
    self.place = place
    begin = { consumer, drain in
      let reporter = isReported ? FeedReporter(place, monitor) : nil
      let (line, counters, restarts, consumers) = place.withCounters { counters in
        let line = makeLine(FeedSetting(counters: counters, reporter: reporter), drain)
        let (restarts, consumers) = counters.begin(line.run)
        return (line, counters, restarts, consumers)
      }
      let run = line.run
      counters.tell()
      reporter?.report(restarts > 0 ? .restarted(restarts) : .started)
      let atOnce = Swift.max(consumers, reporter?.join() ?? 0)
      if atOnce > 1 { reporter?.report(.consumersAtOnce(atOnce)) }
      run.install(start(FeedInput(mouth: FeedMouth(run: run, send: line.send)), consumer))
      return run
    }
  }

  /// The counts of all its runs.
  public var counters: FeedCounters { place.counters }

  /// The same elements, with the places where some were dropped.
  ///
  /// ```swift
  /// func follow(_ prices: Feed<Double, Never>) async {
  ///   for await step in prices.withGaps {
  ///     switch step {
  ///     case .element(let price): print(price)
  ///     case .gap(let count): print("\(count) missed")
  ///     }
  ///   }
  /// }
  /// ```
  public var withGaps: FeedWithGaps<Element, Failure> {
    FeedWithGaps(begin: begin)
  }

  /// Makes a consumer, with a run of its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: FeedReader(begin: begin))
  }

  /// One consumer.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let reader: FeedReader<Element, Failure>

    /// Waits for the next element; nil after the end, and when the task is cancelled.
    @inlinable
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }

    /// Waits for the next element; nil after the end, and when the task is cancelled.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      if !Task.isCancelled, let element = reader.drain.claim() { return element }
      return try await reader.next(isolation: actor)
    }
  }
}

/// What tells feeds apart.
struct FeedID: Hashable, Sendable {
  let name: String
  let key: RunKey?

  init(name: String, key: (any Hashable & Sendable)?) {
    self.name = name
    self.key = key.map { RunKey(AnyHashable($0)) }
  }
}

/// What a feed is called, and where its counts are.
struct FeedPlace: Sendable {
  private enum Counts {
    case own(FeedCounters)
    case board(FeedBoard)
  }

  let id: FeedID
  private let counts: Counts

  init(name: String, key: (any Hashable & Sendable)? = nil, board: FeedBoard? = nil) {
    id = FeedID(name: name, key: key)
    counts = board.map { .board($0) } ?? .own(FeedCounters(id))
  }

  var counters: FeedCounters { withCounters { $0 } }

  func withCounters<Result: Sendable>(_ body: @Sendable (FeedCounters) -> Result) -> Result {
    switch counts {
    case .own(let counters): body(counters)
    case .board(let board): board.withCounters(of: id, body)
    }
  }
}

extension RunKey {
  /// The key as reports of feeds show it.
  var text: String { id.base as? String ?? describe(id.base) }
}
