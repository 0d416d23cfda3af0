/// A place that keeps the newest of the values put into it, for any number of readers.
///
/// Each reader sees the value that is there when it first asks and then, whenever it asks again, the
/// newest value put since. What a busy reader misses is overwritten, so nothing grows behind it.
package final class LatestValue<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var version: UInt64 = 0
    var isFinished = false
    var readers: [UInt64: UnsafeContinuation<Void, Never>] = [:]
    var nextReader: UInt64 = 0
  }

  private let state: Lock<State>

  package init(_ value: Value? = nil) {
    state = Lock(State(value: value, version: value == nil ? 0 : 1))
  }

  package func put(_ value: Value) {
    // What goes is let go of outside the lock.
    var replaced: Value?
    wake { state in
      replaced = state.value
      state.value = value
      state.version += 1
    }
    withExtendedLifetime(replaced) {}
  }

  /// The value that stands now.
  package var newest: Value? { state.withLock { $0.value } }

  /// Ends the sequence for every reader once it has seen the last value.
  package func finish() {
    wake { $0.isFinished = true }
  }

  private func wake(_ change: (inout State) -> Void) {
    let readers = state.withLock { state in
      change(&state)
      let readers = Array(state.readers.values)
      state.readers.removeAll()
      return readers
    }
    for reader in readers { reader.resume() }
  }

  package func makeReader() -> UInt64 {
    state.withLock { state in
      state.nextReader += 1
      return state.nextReader
    }
  }

  /// Waits for a version after `seen`; nil when the values have ended or the task is cancelled.
  package func next(
    after seen: UInt64, reader: UInt64, isolation: isolated (any Actor)?
  ) async -> (value: Value, version: UInt64)? {
    await withTaskCancellationHandler {
      // The closure is isolated only by what it captures; without this it leaves the lane.
      _ = isolation
      while !Task.isCancelled {
        switch look(after: seen) {
        case .found(let value, let version): return (value, version)
        case .ended: return nil
        case .nothing: await wait(after: seen, reader: reader)
        }
      }
      return nil
    } onCancel: {
      state.withLock { $0.readers.removeValue(forKey: reader) }?.resume()
    }
  }

  private enum Look {
    case found(Value, UInt64)
    case ended
    case nothing
  }

  private func look(after seen: UInt64) -> Look {
    state.withLock { state in
      if state.version > seen, let value = state.value { return .found(value, state.version) }
      return state.isFinished ? .ended : .nothing
    }
  }

  private nonisolated(nonsending) func wait(after seen: UInt64, reader: UInt64) async {
    await withUnsafeContinuation { continuation in
      let goesOn = state.withLock { state in
        if state.version > seen || state.isFinished || Task.isCancelled { return true }
        state.readers[reader] = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
  }
}

/// The newest values of something that changes, for one reader at its own pace.
///
/// The first value is the one that stands when the reader first asks. A value that is replaced while
/// the reader is busy is not delivered; nothing is kept for it beyond the newest.
public struct LatestValues<Element: Sendable>: AsyncSequence, Sendable {
  /// The values never fail.
  public typealias Failure = Never

  private let latest: LatestValue<Element>

  package init(_ latest: LatestValue<Element>) {
    self.latest = latest
  }

  /// The value that stands now.
  package var newest: Element? { latest.newest }

  /// Makes a reader of its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(latest: latest, reader: latest.makeReader())
  }

  /// One reader.
  public struct Iterator: AsyncIteratorProtocol {
    private let latest: LatestValue<Element>
    private let reader: UInt64
    private var seen: UInt64 = 0

    fileprivate init(latest: LatestValue<Element>, reader: UInt64) {
      self.latest = latest
      self.reader = reader
    }

    /// Waits for the next value; nil when the values have ended or the task is cancelled.
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }

    /// Waits for the next value; nil when the values have ended or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never)
      -> Element?
    {
      guard let next = await latest.next(after: seen, reader: reader, isolation: actor)
      else { return nil }
      seen = next.version
      return next.value
    }
  }
}
