extension Feedback {
  /// Keeps a sequence running while its key stands in the state; each element becomes an event.
  ///
  /// Another key starts another sequence in place of the running one, nil ends it. A sequence that has
  /// ended is not started again until the key changes or comes back.
  ///
  /// - Parameters:
  ///   - key: what the sequence is made of; `\.roomID` is the usual spelling.
  ///   - sequence: makes the sequence. It is called on the context's executor.
  ///   - catch: turns the error of a sequence into an event. An error without a route, or with nil for
  ///     its event, is reported to the monitor; the loop and the other feedbacks go on.
  ///   - end: makes an event of the end of a sequence that has ended by itself.
  ///   - event: turns an element into an event; nil for an element that does not matter.
  public static func stream<Key: Sendable & Equatable, Elements: AsyncSequence & SendableMetatype>(
    _ key: @escaping @Sendable (System.State) -> Key?,
    name: String? = nil, function: String = #function, fileID: String = #fileID, line: Int = #line,
    sequence: @escaping @Sendable (Key) -> Elements,
    catch: (@Sendable (any Error) -> System.Event?)? = nil,
    end: (@Sendable () -> System.Event?)? = nil,
    event: @escaping @Sendable (Elements.Element) -> System.Event?
  ) -> Self {
    stream(
      Source.request(word: "stream", key), payload: { $0 },
      declaration: Declaration(
        name: name, word: "stream", function: function, fileID: fileID, line: line),
      throwsErrors: true, sequence: sequence, catch: `catch`, end: end, event: event)
  }

  /// Keeps a sequence running while the loop runs; each element becomes an event.
  ///
  /// A sequence that has ended is not started again; one that a stop cut off is.
  public static func stream<Elements: AsyncSequence & SendableMetatype>(
    name: String? = nil, function: String = #function, fileID: String = #fileID, line: Int = #line,
    sequence: @escaping @Sendable () -> Elements,
    catch: (@Sendable (any Error) -> System.Event?)? = nil,
    end: (@Sendable () -> System.Event?)? = nil,
    event: @escaping @Sendable (Elements.Element) -> System.Event?
  ) -> Self {
    stream(
      .always(word: "stream"), payload: { _ in nil },
      declaration: Declaration(
        name: name, word: "stream", function: function, fileID: fileID, line: line),
      throwsErrors: true, sequence: sequence, catch: `catch`, end: end, event: event)
  }

  /// Keeps a sequence running while its source is there.
  ///
  /// - Parameter payload: what a test sees of what the sequence is made of.
  package static func stream<Key: Sendable, Elements: AsyncSequence & SendableMetatype>(
    _ source: Source<System, Key>, payload: @escaping @Sendable (Key) -> (any Sendable)?,
    declaration: Declaration, throwsErrors: Bool,
    sequence: @escaping @Sendable (Key) -> Elements,
    catch: (@Sendable (any Error) -> System.Event?)?, end: (@Sendable () -> System.Event?)?,
    isEnd: @escaping @Sendable (Elements.Element) -> Bool = { _ in false },
    event: @escaping @Sendable (Elements.Element) -> System.Event?
  ) -> Self {
    let read = source.payload
    return Self(
      source.sensor,
      reaction: .run(
        { look, slot, key, pace in
          let key = read(look, slot, key)
          return WorkRecord(
            .stream(pace: pace, event: event, end: end, isEnd: isEnd) { sequence(key) })
        },
        RunInput(.elements, throwsErrors: throwsErrors, end: end) { look, slot, key in
          payload(read(look, slot, key))
        }),
      policy: .latest, pacesElements: true, declaration: declaration, catch: `catch`)
  }

  /// Answers with an event at each tick of a clock, while the loop runs.
  ///
  /// The first tick comes one interval after the start. A tick that is missed, because the body or the
  /// machine was busy, is not made up for; the next one keeps to the same raster.
  ///
  /// - Parameters:
  ///   - interval: the time between two ticks; must be positive.
  ///   - flag: ticks only while this holds.
  public static func every(
    _ interval: Duration, while flag: @escaping @Sendable (System.State) -> Bool = { _ in true },
    clock: any Clock<Duration> = ContinuousClock(),
    name: String? = nil, function: String = #function, fileID: String = #fileID, line: Int = #line,
    evaluate: nonisolated(nonsending) @escaping @Sendable () async -> System.Event?
  ) -> Self {
    precondition(interval > .zero, "interval must be positive (was \(interval))")
    let timer = RunTimer(clock)
    let work = Work<System.Event> { _, send in
      var tick = timer.elapsed() + interval
      while !Task.isCancelled {
        try await send.parked { try await timer.sleep(until: tick) }
        if let event = await evaluate() { send(event) }
        let missed = ((timer.elapsed() - tick) / interval).rounded(.down)
        tick += interval * (1 + max(0, Int(missed)))
      }
      return nil
    }
    return Self(
      .presence(word: "every", flag),
      reaction: .run(
        { _, _, _, _ in WorkRecord(work) },
        RunInput(.elements, throwsErrors: false) { _, _, _ in nil }),
      policy: .latest,
      declaration: Declaration(
        name: name, word: "every", function: function, fileID: fileID, line: line),
      catch: nil)
  }
}

extension Work {
  /// Turns each element of a sequence into an event, and its end into the last one.
  ///
  /// - Parameter isEnd: whether an element is the end of something, which no pace holds up or replaces.
  package static func stream<Elements: AsyncSequence & SendableMetatype>(
    pace: Pace?, event: @escaping @Sendable (Elements.Element) -> Event?,
    end: (@Sendable () -> Event?)?,
    isEnd: @escaping @Sendable (Elements.Element) -> Bool = { _ in false },
    sequence: @escaping @Sendable () -> Elements
  ) -> Self {
    Work { lane, send in
      let outlet = pace.map { pace in
        PacedOutlet<Event>(
          pace, lane: lane, emit: { send($0) },
          noteWaiting: { send.host.hold(send.run, $0) })
      }
      do {
        try await reportingFeeds(of: send, on: lane) { lane in
          try await forEach(of: sequence(), send: send, on: lane) { element in
            guard let event = event(element) else { return nil }
            guard let outlet, !isEnd(element) else {
              outlet?.flush()
              return send(event)
            }
            outlet.receive(event)
            return nil
          }
        }
      } catch {
        outlet?.end()
        throw error
      }
      outlet?.end()
      return Task.isCancelled ? nil : end?()
    }
  }
}

extension Source where Payload == Void {
  /// Something that is there while the loop runs.
  package static func always(word: String) -> Self {
    Self(sensor: .presence(word: word) { _ in true }, payload: { _, _, _ in })
  }
}

/// How many elements of one sequence may wait to be reduced, or come in one go (laws 4 and 17).
private var streamBound: Int { 128 }

/// Has the feeds that are iterated in the body report to the context's monitor, if it has one.
private func reportingFeeds<Event>(
  of send: Send<Event>, on lane: isolated Lane,
  _ body: (isolated Lane) async throws -> Void
) async throws {
  guard let link = send.host.makeFeedLink(for: send.run) else { return try await body(lane) }
  try await FeedLink.$current.withValue(link) { try await body(lane) }
}

private func forEach<Elements: AsyncSequence, Event>(
  of elements: Elements, send: Send<Event>, on lane: isolated Lane,
  _ body: (Elements.Element) -> Receipt?
) async throws {
  // Kept for the whole run: an iterator need not keep its sequence alive.
  defer { withExtendedLifetime(elements) {} }
  var iterator = elements.makeAsyncIterator()
  var count = 0
  var newest: Receipt?
  // A sequence that never suspends notices neither its cancellation nor that others want the lane.
  while !Task.isCancelled,
    let element = try await send.parked({ try await iterator.next(isolation: lane) })
  {
    newest = body(element) ?? newest
    count += 1
    guard count == streamBound else { continue }
    if let receipt = newest.take() { await receipt.value } else { await send.host.giveWay() }
    count = 0
  }
}

extension PacedOutlet {
  /// Lets the last value through, unless the run was cancelled.
  fileprivate func end() {
    if Task.isCancelled { cancel() } else { finish() }
  }
}
