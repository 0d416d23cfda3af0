/// The values of a part of a context's state, see `Context.values(of:)`.
public struct ContextValues<Element: Sendable>: AsyncSequence, Sendable {
  /// The values never fail.
  public typealias Failure = Never

  /// Begins to put values, and returns what ends that.
  typealias Attach = @Sendable (LatestValue<Element>) async -> @Sendable () -> Void

  private let attach: Attach

  init(attach: @escaping Attach) {
    self.attach = attach
  }

  /// Makes a consumer of its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(attach: attach)
  }

  /// One consumer.
  ///
  /// It costs the context nothing before its first `next()`.
  public struct Iterator: AsyncIteratorProtocol {
    private let attach: Attach
    private var subscription: Subscription<Element>?

    init(attach: @escaping Attach) {
      self.attach = attach
    }

    /// Waits for the next value; nil when the context has gone or the task is cancelled.
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }

    /// Waits for the next value; nil when the context has gone or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never)
      -> Element?
    {
      if subscription == nil {
        let latest = LatestValue<Element>()
        subscription = Subscription(latest: latest, detach: await attach(latest))
      }
      return await subscription?.next()
    }
  }
}

/// A consumer's place at a context, given back when the consumer goes.
private final class Subscription<Element: Sendable> {
  private var iterator: LatestValues<Element>.Iterator
  private let detach: @Sendable () -> Void

  init(latest: LatestValue<Element>, detach: @escaping @Sendable () -> Void) {
    iterator = LatestValues(latest).makeAsyncIterator()
    self.detach = detach
  }

  deinit {
    detach()
  }

  nonisolated(nonsending) func next() async -> Element? {
    await iterator.next()
  }
}

/// The consumers of a context's values, which end when the context goes.
package final class Audience: Sendable {
  private struct State {
    var finish: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var isClosed = false
  }

  private let state = Lock(State())

  func add<Element>(_ latest: LatestValue<Element>) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.finish[ObjectIdentifier(latest)] = { latest.finish() } }
      return state.isClosed
    }
    if isClosed { latest.finish() }
  }

  func remove<Element>(_ latest: LatestValue<Element>) {
    state.withLock { state in _ = state.finish.removeValue(forKey: ObjectIdentifier(latest)) }
  }

  func close() {
    let finish = state.withLock { state in
      state.isClosed = true
      defer { state.finish.removeAll() }
      return Array(state.finish.values)
    }
    for finish in finish { finish() }
  }
}

extension Driver {
  /// Puts the value of a part of the state, now and whenever it changes.
  func attach<Value: Sendable>(
    _ latest: LatestValue<Value>, value: @escaping @Sendable (System.State) -> Value,
    isUnchanged: @escaping @Sendable (Value, Value) -> Bool
  ) async -> @Sendable () -> Void {
    await attach(latest, value: value, isUnchanged: isUnchanged, on: lane)
  }

  private func attach<Value: Sendable>(
    _ latest: LatestValue<Value>, value: @escaping @Sendable (System.State) -> Value,
    isUnchanged: @escaping @Sendable (Value, Value) -> Bool, on lane: isolated Lane
  ) -> @Sendable () -> Void {
    latest.put(value(visible.pointee))
    audience.add(latest)
    let watcher = Watcher<System>(
      visible, value: value, isUnchanged: isUnchanged,
      notify: { look in
        latest.put(value(look.pointee))
        return true
      })
    add(watcher)
    let id = ObjectIdentifier(watcher)
    return { [weak self] in
      guard let self else { return }
      audience.remove(latest)
      if retiredWatchers.add(id) {
        _ = lane.start { [weak self] _ in self?.removeEnded() }
      }
    }
  }

  /// Lets everybody go who waits for the context.
  func contextHasGone() {
    bench.close()
    audience.close()
  }
}
