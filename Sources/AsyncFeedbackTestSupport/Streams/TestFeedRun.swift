internal import AsyncFeedback

/// One run of a ``TestFeed``: what the test says to one sequence, and what has become of it.
public final class TestFeedRun<Element: Sendable>: Sendable {
  /// How a run has ended for whoever consumes it.
  public enum Ending: Sendable, Equatable {
    /// It was told the end.
    case finished
    /// It was thrown an error.
    case failed
    /// Its task was cancelled, or it has let the sequence go.
    case cancelled
  }

  private enum LastWord {
    case finish
    case fail(any Error)
  }

  private struct State {
    var waiting: [Element] = []
    var lastWord: LastWord?
    /// Whether the object that is the sequence has gone.
    var hasGone = false
    var ending: Ending?
    /// How many elements were said, and how many were asked for.
    var said = 0
    var asked = 0
    var consumer: UnsafeContinuation<Void, Never>?
  }

  private let bound: Int
  private let board: TestFeedBoard
  private let state = Lock(State())

  init(bound: Int, board: TestFeedBoard) {
    self.bound = bound
    self.board = board
  }
}

// MARK: - What becomes of it

extension TestFeedRun {
  /// Whether the sequence was asked for an element.
  public var hasBegun: Bool { state.withLock { $0.asked > 0 } }

  /// How the run has ended; nil while it goes on.
  ///
  /// A run that was told its end has ended when the consumer has come to know of it.
  public var ending: Ending? { state.withLock { $0.ending } }

  /// Waits until the run has ended.
  ///
  /// - Returns: how; nil if the limit is reached, which fails the test, or the task is cancelled.
  @discardableResult
  public func ended(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> Ending? {
    _ = await board.wait(
      until: { self.ending != nil },
      else: { "The run of the feed has not ended within \(board.limit)." },
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    return ending
  }
}

// MARK: - What the test says

extension TestFeedRun {
  /// Says an element, which waits until it is consumed.
  ///
  /// What is said to a consumer that has gone is lost, as that of a real source. It fails the test if more
  /// elements wait than the bound of the feed allows, or if the test has said the end.
  ///
  /// - Returns: whether there is still a consumer.
  @discardableResult
  public func yield(
    _ element: Element, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Bool {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    return say(element, at: place) != nil
  }

  /// Says an element, and waits until its consumer has done with it: until it asks for the next one, or has
  /// gone.
  ///
  /// Where a step of a test drives the consumer, as with ``TestContext``, `yield` and the step are the way.
  public func send(
    _ element: Element, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let number = say(element, at: place) else { return }
    _ = await board.wait(
      until: { self.state.withLock { $0.asked > number || $0.ending != nil } },
      else: {
        """
        Nobody has done with \(describe(element)) within \(board.limit): the sequence \
        \(self.hasBegun ? "was asked for no other element" : "has not been asked for an element at all").
        Is its consumer run by something that waits for this test?
        """
      },
      at: place)
  }

  /// Says that there are no more elements.
  public func finish(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    say(
      .finish, at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Has the sequence throw an error, behind the elements that wait.
  public func fail(
    with error: any Error, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    say(
      .fail(error), at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// - Returns: the number of the element; nil if it has nowhere to go.
  private func say(_ element: Element, at place: SourcePlace) -> Int? {
    let bound = bound
    let (number, complaint, consumer) = state.withLock {
      state -> (Int?, String?, UnsafeContinuation<Void, Never>?) in
      if state.ending != nil || state.hasGone { return (nil, nil, nil) }
      if state.lastWord != nil {
        return (nil, "The run has been told its end, so no element can follow", nil)
      }
      if state.waiting.count == bound {
        return (nil, "\(bound) elements wait to be consumed, which is the bound of the feed", nil)
      }
      state.said += 1
      state.waiting.append(element)
      return (state.said, nil, state.consumer.take())
    }
    consumer?.resume()
    if let complaint {
      board.reporter.record("\(complaint) (was \(describe(element))).", at: place)
    }
    return number
  }

  private func say(_ word: LastWord, at place: SourcePlace) {
    let (isRepeated, consumer) = state.withLock { state in
      let isRepeated = state.lastWord != nil
      if !isRepeated { state.lastWord = word }
      return (isRepeated, state.consumer.take())
    }
    consumer?.resume()
    if isRepeated { board.reporter.record("The run has been told its end already.", at: place) }
  }
}

// MARK: - What the consumer does

extension TestFeedRun {
  /// Ends the run for a consumer that has let it go.
  func letGo() {
    let consumer = state.withLock { state in
      if state.ending == nil {
        state.ending = .cancelled
        state.waiting = []
      }
      return state.consumer.take()
    }
    consumer?.resume()
    board.announce()
  }

  /// Ends the run behind the elements that wait, for a sequence that ends with its object.
  func endWithObject() {
    let (consumer, hasBegun) = state.withLock { state in
      if state.lastWord == nil { state.lastWord = .finish }
      state.hasGone = true
      return (state.consumer.take(), state.asked > 0)
    }
    consumer?.resume()
    if !hasBegun { letGo() }
  }

  func next(isolation: isolated (any Actor)?) async throws -> Element? {
    state.withLock { $0.asked += 1 }
    board.announce()
    return try await withTaskCancellationHandler {
      // The closure is isolated only by what it captures; without this it leaves the lane.
      _ = isolation
      while true {
        if let next = take() { return try next.get() }
        await waitForWord()
      }
    } onCancel: {
      letGo()
    }
  }

  /// What there is for the consumer; nil if it has to wait.
  private func take() -> Result<Element?, any Error>? {
    let (next, hasEnded) = state.withLock { state -> (Result<Element?, any Error>?, Bool) in
      if state.ending != nil { return (.success(nil), false) }
      if !state.waiting.isEmpty { return (.success(state.waiting.removeFirst()), false) }
      switch state.lastWord {
      case nil: return (nil, false)
      case .finish:
        state.ending = .finished
        return (.success(nil), true)
      case .fail(let error):
        state.ending = .failed
        return (.failure(error), true)
      }
    }
    if hasEnded { board.announce() }
    return next
  }

  private nonisolated(nonsending) func waitForWord() async {
    await withUnsafeContinuation { continuation in
      let goesOn = state.withLock { state in
        precondition(state.consumer == nil, "a run of a feed must have one consumer (had another)")
        if !state.waiting.isEmpty || state.lastWord != nil || state.ending != nil { return true }
        state.consumer = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
  }
}
