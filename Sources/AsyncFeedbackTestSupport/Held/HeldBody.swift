internal import AsyncFeedback

/// One execution of a body that is held: a task that does in its place what the test says.
final class HeldBody<System: SystemProtocol>: Sendable {
  /// What the test says.
  enum Word: Sendable {
    case answer([System.Event])
    case end
    case fail(any Error)
  }

  /// How the body has ended.
  enum Ending: Sendable {
    case said(Word)
    /// By the event of this number; without one by a time limit, or with the loop.
    case cancelled(by: Int?)
  }

  private struct State {
    /// What was said and is not heard yet: one word at the most, since a step waits until it is.
    var word: Word?
    var listener: UnsafeContinuation<Void, Never>?
    var ending: Ending?
  }

  let info: RunInfo
  let input: RunInput<System>
  private let key: RunKey?
  private let payload: (any Sendable)?
  private let state = Lock(State())

  init(_ info: RunInfo, input: RunInput<System>, payload: (any Sendable)?, key: RunKey?) {
    self.info = info
    self.input = input
    self.payload = payload
    self.key = key
  }

  /// The run, with its payload as it is now.
  var run: HeldRun {
    let newest = (payload as? any ChangingPayload)?.newestPayload
    return HeldRun(info: info, payload: newest ?? payload, key: key)
  }

  /// How the body has ended, once it has.
  var ending: Ending? { state.withLock { $0.ending } }

  /// Has the body do what the test says.
  func hear(_ word: Word) {
    let listener = state.withLock { state in
      state.word = word
      return state.listener.take()
    }
    listener?.resume()
  }
}

// MARK: - In the run

extension HeldBody {
  /// Does what the test says, until that ends the run.
  nonisolated(nonsending) func perform(_ send: Send<System.Event>) async throws -> System.Event? {
    while let word = await next(send.host) {
      switch word {
      case .answer(let events):
        if input.answers == .once { return events.first }
        for event in events { send(event) }
      case .end: return nil
      case .fail(let error): throw error
      }
    }
    throw CancellationError()
  }

  /// Waits for what the test says next; nil once the run is cancelled.
  fileprivate func next(
    _ host: any RunHost<System.Event>, isolation: isolated (any Actor)? = #isolation
  ) async -> Word? {
    await withTaskCancellationHandler {
      // The closure is isolated only by what it captures; without this it leaves the lane.
      _ = isolation
      await withUnsafeContinuation { continuation in
        let goesOn = state.withLock { state in
          // A cancellation before this found nobody listening; one from now on finds the listener.
          if state.word != nil || Task.isCancelled { return true }
          state.listener = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      cancel(by: host.handling)
    }
    return takeWord()
  }

  private func takeWord() -> Word? {
    state.withLock { state in
      guard let word = state.word.take(), state.ending == nil else { return nil }
      if isLast(word) { state.ending = .said(word) }
      return word
    }
  }

  private func isLast(_ word: Word) -> Bool {
    if case .answer = word { input.answers == .once } else { true }
  }

  private func cancel(by event: Int?) {
    let listener = state.withLock { state in
      state.ending = state.ending ?? .cancelled(by: event)
      return state.listener.take()
    }
    listener?.resume()
  }
}

/// What the test says to a body that waits for elements, as a sequence of them.
struct HeldElements<System: SystemProtocol>: AsyncSequence {
  let body: HeldBody<System>
  let host: any RunHost<System.Event>

  func makeAsyncIterator() -> Iterator {
    Iterator(body: body, host: host)
  }

  struct Iterator: AsyncIteratorProtocol {
    let body: HeldBody<System>
    let host: any RunHost<System.Event>
    private var events: ArraySlice<System.Event> = []

    fileprivate init(body: HeldBody<System>, host: any RunHost<System.Event>) {
      self.body = body
      self.host = host
    }

    mutating func next() async throws -> System.Event? {
      try await next(isolation: nil)
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> System.Event? {
      while events.isEmpty {
        switch await body.next(host, isolation: actor) {
        case .answer(let said): events = said[...]
        case .fail(let error): throw error
        case .end, nil: return nil
        }
      }
      return events.popFirst()
    }
  }
}

/// What a run is given that changes while it goes on.
protocol ChangingPayload {
  /// The value that stands now.
  var newestPayload: (any Sendable)? { get }
}

extension LatestValues: ChangingPayload {
  var newestPayload: (any Sendable)? { newest.map { $0 } }
}
