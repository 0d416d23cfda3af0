public import AsyncFeedback

extension TestContext {
  /// Takes the next event that a feedback has answered, which must be this one, and reduces it.
  ///
  /// The event is compared with `==`, or by its parts where it has none. Where nothing waits yet this
  /// waits for what is alive outside the executor, up to the limit. What the event's own feedbacks answer
  /// waits for the next step.
  ///
  /// - Parameter claim: makes, in the state before the event, the whole change that the event makes. With
  ///   `exhaustivity` off only what it sets is compared. Without it nothing is claimed of the state.
  @discardableResult
  public nonisolated(nonsending) func receive(
    _ event: System.Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, _ claim: ((inout System.State) -> Void)? = nil
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive([EventPattern(event)], claim, at: place)
    return self
  }

  /// Takes the next event that a feedback has answered, which must meet the condition, and reduces it.
  ///
  /// - Parameters:
  ///   - isExpected: whether an event is the expected one.
  ///   - claim: see `receive(_:)` with an event.
  @discardableResult
  public nonisolated(nonsending) func receive(
    where isExpected: @escaping (System.Event) -> Bool, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ claim: ((inout System.State) -> Void)? = nil
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let pattern = EventPattern("an event that meets the condition", isExpected)
    await receive([pattern], claim, at: place)
    return self
  }

  /// Takes the next event that a feedback has answered, which must be of one case, and reduces it.
  ///
  /// ```swift
  /// enum Event { case loaded([Int]) }
  /// let posts = { (event: Event) -> [Int]? in
  ///   if case .loaded(let posts) = event { posts } else { nil }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - payload: the payload of the expected case, or `nil` for another one.
  ///   - claim: makes the claimed change with the payload; see `receive(_:)` with an event.
  @discardableResult
  public nonisolated(nonsending) func receive<Payload>(
    _ payload: @escaping (System.Event) -> Payload?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ claim: ((inout System.State, Payload) -> Void)? = nil
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    var received: Payload?
    let text = "an event with a payload of type \(Payload.self)"
    let pattern = EventPattern<System.Event>(text) { event in
      guard let payload = payload(event) else { return false }
      received = payload
      return true
    }
    let change = claim.map { claim in
      { (state: inout System.State) in
        if let received { claim(&state, received) }
      }
    }
    await receive([pattern], change, at: place)
    return self
  }

  /// Takes as many events as are listed, which must be these in any order, and reduces them as they come.
  ///
  /// It is for feedbacks that work at the same time, where the order of the answers is nobody's promise.
  ///
  /// - Parameter claim: makes the change that all of them make together.
  @discardableResult
  public nonisolated(nonsending) func receive(
    anyOrder events: System.Event..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ claim: ((inout System.State) -> Void)? = nil
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(events.map { EventPattern($0) }, claim, at: place)
    return self
  }

  /// Waits until the system is at rest, and claims that no event waits.
  @discardableResult
  public nonisolated(nonsending) func receiveNothing(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard admits("`receiveNothing`", at: place) else { return self }
    hasClaimed = true
    await holdAnswers()
    let waiting = context.driver.waiting
    if !reportFaults(at: place), !waiting.isEmpty {
      excusedAnswers.formUnion(waiting.map(\.position))
      record(
        """
        no event was expected, and \(waiting.count == 1 ? "one waits" : "\(waiting.count) wait"):
        \(waiting.map { "  \(text(of: $0))" }.joined(separator: "\n"))
        Receive or skip what has come, or correct the feedback that answered.
        """, at: place)
    }
    return self
  }

  /// Takes and reduces the events that wait, without a claim.
  ///
  /// What their feedbacks answer waits for the next step.
  ///
  /// - Parameter count: how many, one or more; without it all that wait now. It is a failure if fewer wait.
  @discardableResult
  public nonisolated(nonsending) func skip(
    _ count: Int? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Self {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard admits("`skip`", at: place) else { return self }
    if let count, count < 1 {
      record(
        "\(count) events were to be skipped: say one or more, or no number for all.", at: place)
      return self
    }
    await holdAnswers()
    let waiting = context.driver.waiting
    if let count, count > waiting.count + taken.receive(atMost: max(0, count - waiting.count)) {
      record(
        """
        \(count) events were to be skipped, and \(waiting.count) wait.
        Skip without a number what waits, or make the system answer first (advance its clock, say).
        """, at: place)
    }
    if let last = waiting.prefix(count ?? waiting.count).last { await take(through: last) }
    reportFaults(at: place)
    return self
  }
}

extension TestContext {
  /// Has what is ready run, while events wait to be taken.
  nonisolated(nonsending) func holdAnswers() async {
    context.driver.allow(0)
    await executor.settle()
  }

  /// Lets so many of the waiting events be reduced.
  nonisolated(nonsending) func take(_ count: Int) async {
    guard count > 0 else { return }
    context.driver.allow(count)
    await executor.settle()
    context.driver.allow(0)
  }

  /// Lets the waiting events be reduced up to this one, as far as they keep their leases.
  private nonisolated(nonsending) func take(through last: Driver<System>.Waiting) async {
    while context.isRunning, let next = context.driver.waiting.first,
      next.position <= last.position
    {
      await take(1)
    }
  }

  nonisolated(nonsending) func receive(
    _ patterns: [EventPattern<System.Event>], _ claim: ((inout System.State) -> Void)?,
    at place: SourcePlace
  ) async {
    guard admits("`receive`", at: place) else { return }
    hasClaimed = true
    var missing = patterns
    var received: [String] = []
    var before: System.State?
    var isTaken = false
    while !missing.isEmpty {
      if let match = await receiveTaken(missing) {
        missing.remove(at: match)
        isTaken = true
        continue
      }
      let (next, outcome) = await nextAnswer(missing, at: place)
      before = before ?? state
      guard let next, let event = next.event,
        let match = missing.firstIndex(where: { $0.matches(event) })
      else {
        if !reportFaults(at: place) { await miss(missing, next, outcome, at: place) }
        return
      }
      missing.remove(at: match)
      received.append(describe(event))
      await take(1)
      transcript.noteReceived()
    }
    // What a failure has taken has changed the state before this step, so the claim is no longer one.
    guard !reportFaults(at: place), !isTaken, let claim, let before else { return }
    verify(
      Claim(change: claim), of: received.joined(separator: " and "), from: before, at: place)
  }

  /// Receives an expected event that a failure has taken before, unless one that is expected waits.
  ///
  /// - Returns: the place of the event among the expected ones.
  private nonisolated(nonsending) func receiveTaken(
    _ missing: [EventPattern<System.Event>]
  ) async -> Int? {
    guard !taken.isEmpty else { return nil }
    await holdAnswers()
    func match(_ event: System.Event) -> Int? { missing.firstIndex { $0.matches(event) } }
    if let next = context.driver.waiting.first?.event, match(next) != nil { return nil }
    let numbers = transcript.numbers { (event: System.Event) in match(event) != nil }
    guard let number = numbers.first(where: taken.isOpen) else { return nil }
    taken.receive(number)
    return (transcript.event(number) as? System.Event).flatMap(match)
  }

  /// The next event to be taken; where exhaustivity is off, the next of those that are missing.
  private nonisolated(nonsending) func nextAnswer(
    _ missing: [EventPattern<System.Event>], at place: SourcePlace
  ) async -> (Driver<System>.Waiting?, Signal.Outcome) {
    context.driver.allow(0)
    var outcome = await wait { !self.context.driver.waiting.isEmpty }
    guard exhaustivity == .off else { return (context.driver.waiting.first, outcome) }
    var skipped: [Driver<System>.Waiting] = []
    defer { reportSkipped(skipped, at: place) }
    while context.isRunning, let next = context.driver.waiting.first {
      if let event = next.event, missing.contains(where: { $0.matches(event) }) {
        return (next, outcome)
      }
      skipped.append(next)
      await take(1)
      outcome = await wait { !self.context.driver.waiting.isEmpty }
    }
    return (nil, outcome)
  }

  /// Records that another event than expected is the next, or that none is.
  private nonisolated(nonsending) func miss(
    _ missing: [EventPattern<System.Event>], _ next: Driver<System>.Waiting?,
    _ outcome: Signal.Outcome, at place: SourcePlace
  ) async {
    let expected = missing.map(\.text).joined(separator: " or ")
    guard let next else {
      let silence =
        outcome == .limitReached
        ? "no event has come within \(limit) of real time" : "no event waits"
      record("expected \(expected), and \(silence).\n\(adviceOnSilence(missing))", at: place)
      excuseBusyRuns()
      return
    }
    var lines = ["expected \(expected), and the next is \(text(of: next))."]
    if missing.count == 1, let value = missing.first?.value, let event = next.event {
      let difference = Difference(from: value, to: event).lines
      // Without a place it is the whole event, which the first line shows.
      if difference.allSatisfy({ $0.contains(": ") }) {
        lines.append("They differ in (expected → next):")
        lines += difference.map { "  \($0)" }
      }
    }
    let waiting = context.driver.waiting
    let later = waiting.firstIndex { waiting in
      waiting.event.map { event in missing.contains { $0.matches(event) } } ?? false
    }
    if let index = later {
      lines.append(
        """
        The expected event waits as number \(index + 1), so it was answered later. Receive \
        \(index == 1 ? "the one" : "those") before it first, use receive(anyOrder:) where the order is \
        nobody's promise, or skip. All up to it are taken now.
        """)
    } else {
      lines.append(
        """
        Receive what came, or correct the feedback that answered. The event is taken in place of the \
        expected one.
        """)
    }
    record(lines.joined(separator: "\n"), at: place)
    let first = transcript.lastNumber + 1
    await take(through: waiting[later ?? 0])
    // The one that was expected is received by this step.
    let last = later == nil ? transcript.lastNumber : transcript.lastNumber - 1
    if last >= first { taken.add(first...last, at: place) }
    if later != nil { transcript.noteReceived() }
    reportFaults(at: place)
  }

  /// An event that waits and where it comes from.
  func text(of waiting: Driver<System>.Waiting) -> String {
    let event = waiting.event.map { describe($0) } ?? "a write of a binding"
    return switch waiting.cause {
    case .outside(let fileID, let line): "\(event), sent at \(fileID):\(line)"
    case .binding: event
    case .feedback(let run): "\(event) from \(text(of: run))"
    }
  }
}
