internal import AsyncFeedback
internal import Foundation

/// What a connection has received and nobody has read yet, bounded.
///
/// URLSession puts into it from a thread of its own, one reader takes out. What was received comes in
/// order, and what ended the connection comes behind it. Once it is closed nothing comes out any more.
final class Intake: Sendable {
  /// What the reader gets.
  enum Item: Sendable {
    /// The server has answered with an event stream.
    case opened
    case bytes(Data)
    /// There is nothing more, and why.
    case ended(Ending)
    case closed
  }

  enum Ending: Sendable {
    /// The server has said that the client must not come back.
    case noContent
    case failure(EventSourceError)
  }

  fileprivate struct State {
    var isOpened = false
    var tellsOpened = false
    var chunks: [Data] = []
    /// How many of the chunks are read.
    var read = 0
    var size = 0
    var isPaused = false
    var ending: Ending?
    var isClosed = false
    var reader: CheckedContinuation<Item, Never>?
    /// When something was last received or read.
    var heard = Duration.zero
  }

  private let limit: Int
  private let now: @Sendable () -> Duration
  private let pause: @Sendable (Bool) -> Void
  private let stop: @Sendable () -> Void
  private let state = Lock(State())

  /// - Parameters:
  ///   - limit: how many bytes may wait to be read.
  ///   - now: the time that `heard` tells.
  ///   - pause: asks the sender to pause (true) or to go on (false), which it may do some time later, or
  ///     not at all. Called under a lock.
  ///   - stop: called once, when nothing more is taken.
  init(
    limit: Int, now: @escaping @Sendable () -> Duration,
    pause: @escaping @Sendable (Bool) -> Void = { _ in },
    stop: @escaping @Sendable () -> Void = {}
  ) {
    self.limit = limit
    self.now = now
    self.pause = pause
    self.stop = stop
  }
}

// MARK: - Putting

extension Intake {
  /// Notes that the server has answered with an event stream.
  func open() {
    put { state in
      state.isOpened = true
      state.tellsOpened = true
    }
  }

  /// Takes what was received, or ends if that is more than may wait.
  ///
  /// A single chunk may have any size.
  func put(_ data: Data) {
    guard !data.isEmpty else { return }
    put { state in
      if state.size > 0, state.size + data.count > limit {
        return state.ending = .failure(.bufferFull(limit: limit))
      }
      state.chunks.append(data)
      state.size += data.count
    }
  }

  /// Notes that nothing more comes; of several reasons the first counts.
  func end(_ ending: Ending) {
    put { $0.ending = ending }
  }

  /// Lets nothing in any more, and nothing out.
  func close() {
    let (stops, reader) = state.withLock { state in
      let stops = !state.isClosed && state.ending == nil
      state.isClosed = true
      state.chunks = []
      return (stops, state.reader.take())
    }
    if stops { stop() }
    reader?.resume(returning: .closed)
  }

  private func put(_ change: (inout State) -> Void) {
    let now = now()
    let (stops, reader, item) = state.withLock { state in
      guard !state.isClosed, state.ending == nil else {
        return (false, nil as CheckedContinuation<Item, Never>?, nil as Item?)
      }
      change(&state)
      state.heard = now
      let stops = state.ending != nil
      if state.reader != nil, let item = state.take() {
        return (stops, state.reader.take(), item)
      }
      // Under the lock, so that a request to pause and the one to go on come in their order. There is
      // room for what still comes before the sender pauses.
      if !state.isPaused, state.size >= max(limit / 2, 1) {
        state.isPaused = true
        pause(true)
      }
      return (stops, nil, nil)
    }
    if stops { stop() }
    if let item { reader?.resume(returning: item) }
  }
}

// MARK: - Reading

extension Intake {
  /// Waits for the next item.
  ///
  /// Cancellation does not end the wait: whoever is cancelled closes the intake.
  nonisolated(nonsending) func next() async -> Item {
    await withCheckedContinuation { continuation in
      let now = now()
      let item: Item? = state.withLock { state in
        guard let item = state.take() else {
          state.reader = continuation
          return nil
        }
        state.heard = now
        if state.isPaused, state.size <= limit / 4 {
          state.isPaused = false
          pause(false)
        }
        return item
      }
      if let item { continuation.resume(returning: item) }
    }
  }

  /// Whether the server has answered with an event stream.
  var isOpened: Bool { state.withLock { $0.isOpened } }

  /// When something was last received or read, or nil while something waits to be read.
  var heard: Duration? { state.withLock { $0.size == 0 ? $0.heard : nil } }
}

extension Intake.State {
  fileprivate mutating func take() -> Intake.Item? {
    if isClosed { return .closed }
    if tellsOpened {
      tellsOpened = false
      return .opened
    }
    guard read < chunks.count else { return ending.map { .ended($0) } }
    let chunk = chunks[read]
    chunks[read] = Data()
    read += 1
    size -= chunk.count
    if read == chunks.count || read == 64 {
      chunks.removeFirst(read)
      read = 0
    }
    return .bytes(chunk)
  }
}
