extension AsyncSequence where Element == UInt8 {
  /// The events of an event stream that comes byte by byte.
  ///
  /// - Parameters:
  ///   - lastEventID: the last event id to start with, that of an earlier connection.
  ///   - limits: how large a line and an event may be.
  @inlinable
  public func serverSentEvents(
    lastEventID: String = "", limits: EventStreamLimits = EventStreamLimits()
  ) -> ServerSentEventSequence<Self> {
    ServerSentEventSequence(
      self, parser: EventStreamParser(lastEventID: lastEventID, limits: limits)
    ) { parser, byte, events throws(EventStreamError) in
      try parser.feed(byte, into: &events)
    }
  }
}

extension AsyncSequence where Element: Sequence<UInt8> & SendableMetatype {
  /// The events of an event stream that comes in chunks, such as `Data` or `[UInt8]`.
  ///
  /// - Parameters:
  ///   - lastEventID: the last event id to start with, that of an earlier connection.
  ///   - limits: how large a line and an event may be.
  @inlinable
  public func serverSentEvents(
    lastEventID: String = "", limits: EventStreamLimits = EventStreamLimits()
  ) -> ServerSentEventSequence<Self> {
    ServerSentEventSequence(
      self, parser: EventStreamParser(lastEventID: lastEventID, limits: limits)
    ) { parser, chunk, events throws(EventStreamError) in
      try parser.feed(chunk, into: &events)
    }
  }
}

/// The events of an event stream that another sequence delivers as bytes or chunks.
///
/// An event is delivered before the sequence is asked for more. The iteration ends when the sequence ends,
/// without the event that is not complete then; it throws what the sequence throws, and an
/// ``EventStreamError`` behind the events that came before it. Where the sequence runs, and what cancels
/// it, is up to the sequence: its iterator is called in the isolation of the consumer, and need not be
/// `Sendable`.
public struct ServerSentEventSequence<Base: AsyncSequence>: AsyncSequence {
  /// What an iteration delivers.
  public typealias Element = ServerSentEvent
  /// What the sequence throws, or an ``EventStreamError``.
  public typealias Failure = any Error

  @usableFromInline
  typealias Feed =
    @Sendable (inout EventStreamParser, Base.Element, inout [ServerSentEvent])
    throws(EventStreamError) -> Void

  private let base: Base
  private let parser: EventStreamParser
  private let feed: Feed

  @usableFromInline
  init(_ base: Base, parser: EventStreamParser, feed: @escaping Feed) {
    self.base = base
    self.parser = parser
    self.feed = feed
  }

  /// Starts an iteration of the sequence, with a parser of its own.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base, iterator: base.makeAsyncIterator(), parser: parser, feed: feed)
  }

  /// One iteration.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Kept as long as the iterator: a sequence may end when nobody holds it.
    @usableFromInline let base: Base
    @usableFromInline var iterator: Base.AsyncIterator
    @usableFromInline var parser: EventStreamParser
    @usableFromInline let feed: Feed
    @usableFromInline var pending: [ServerSentEvent] = []
    @usableFromInline var delivered = 0
    @usableFromInline var failure: EventStreamError?
    @usableFromInline var isOver = false

    fileprivate init(
      base: Base, iterator: Base.AsyncIterator, parser: EventStreamParser, feed: @escaping Feed
    ) {
      self.base = base
      self.iterator = iterator
      self.parser = parser
      self.feed = feed
    }

    /// The next event; nil at the end of the stream.
    public mutating func next() async throws -> ServerSentEvent? {
      try await next(isolation: #isolation)
    }

    // Made in the client's module, where the type of the sequence is known: asking a sequence of bytes for
    // one costs some nanoseconds there, and a microsecond here.
    /// The next event; nil at the end of the stream.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> ServerSentEvent? {
      while delivered == pending.count {
        guard !isOver else { return nil }
        pending.removeAll(keepingCapacity: true)
        delivered = 0
        if let failure {
          isOver = true
          throw failure
        }
        do {
          guard let element = try await iterator.next(isolation: actor) else {
            isOver = true
            return nil
          }
          read(element)
        } catch {
          isOver = true
          throw error
        }
      }
      defer { delivered += 1 }
      return pending[delivered]
    }

    @inlinable
    mutating func read(_ element: Base.Element) {
      do throws(EventStreamError) {
        try feed(&parser, element, &pending)
      } catch {
        failure = error
      }
    }
  }
}

extension ServerSentEventSequence: Sendable where Base: Sendable {}
