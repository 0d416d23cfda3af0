/// A run whose elements a buffer keeps.
@usableFromInline package final class ShelfRun<Buffer: FeedBuffer>: FeedRun {
  @usableFromInline package let setting: FeedSetting
  @usableFromInline package let drain: FeedDrain<Buffer.Element>
  @usableFromInline
  struct State {
    @usableFromInline var core = FeedCore()
    @usableFromInline var buffer: Buffer?
    @usableFromInline var counts = FeedCounts()
    /// The producer, while it waits for room.
    var sender: UnsafeContinuation<Void, Never>?
    /// Whether what waits can be had before its time, since the clock has gone.
    var hasNoTime = false

    @usableFromInline
    init(_ buffer: Buffer) {
      self.buffer = buffer
    }
  }

  @usableFromInline let lock: Lock<State>
  @usableFromInline let timer: RunTimer?

  @usableFromInline
  init(
    _ setting: FeedSetting, _ drain: FeedDrain<Buffer.Element>, _ buffer: sending Buffer,
    timer: RunTimer?
  ) {
    lock = Lock(State(buffer))
    self.timer = timer
    self.setting = setting
    self.drain = drain
  }

  @inlinable var now: Duration { timer?.elapsed() ?? .zero }

  @inlinable
  func send(_ input: Buffer.Input) -> Bool {
    // An element that has to go is let go of outside the lock.
    var evicted: Buffer.Input?
    let sent = lock.withLock { state -> FeedSent in
      guard state.core.isOpen, let intake = state.buffer?.receive(input, at: { now }) else {
        return FeedSent(isTaken: false)
      }
      var sent = FeedSent(isTaken: true)
      state.counts.received &+= 1
      switch intake {
      case .kept:
        sent.mark = state.noteDepth()
      case .coalesced(let count, let other):
        state.counts.coalesced &+= count
        evicted = other
      case .displaced(let other):
        state.counts.dropped &+= 1
        evicted = other
        sent.beginsGap = state.beginGap()
      case .rejected:
        state.counts.dropped &+= 1
        sent.isTaken = false
        sent.beginsGap = state.beginGap()
      }
      if state.core.waiter != nil, state.hasNews { sent.waiter = state.core.takeWaiter() }
      return sent
    }
    return withExtendedLifetime(evicted) { follow(sent) }
  }

  @usableFromInline
  package var counts: FeedCounts {
    lock.withLock { state in
      var counts = state.counts
      counts.depth = state.buffer?.depth ?? 0
      return counts
    }
  }

  @usableFromInline
  package func look(tellingGaps: Bool) -> FeedLook<Buffer.Element> {
    let now = now
    let (look, gap, sender) = lock.withLock {
      state -> (FeedLook<Buffer.Element>, Int, UnsafeContinuation<Void, Never>?) in
      guard !state.core.isStopped, state.buffer != nil else { return (.ended(nil), 0, nil) }
      let gap = state.buffer?.takeGap() ?? 0
      if gap > 0, tellingGaps { return (.gap(gap), gap, nil) }
      let isClosed = !state.core.isOpen || state.hasNoTime
      if let taken = state.buffer?.take(at: now, isClosed: isClosed) {
        state.counts.delivered += taken.count
        return (.element(taken.element), gap, state.sender.take())
      }
      guard state.core.isOpen else { return (.ended(state.core.failure.take()), gap, nil) }
      return (.nothing(until: state.buffer?.deadline), gap, nil)
    }
    sender?.resume()
    passGap(gap)
    switch look {
    case .element, .gap: setting.counters.noteChange()
    case .nothing, .ended: setting.counters.noteEmptied()
    }
    return look
  }

  @usableFromInline
  package func register(
    _ waiter: UnsafeContinuation<Void, Never>, hasAlarm: Bool
  ) -> Bool {
    let now = now
    return lock.withLock { state in
      guard state.core.isOpen, let buffer = state.buffer, !buffer.isReady else { return false }
      if let deadline = buffer.deadline {
        guard hasAlarm, now < deadline, !state.hasNoTime else { return false }
      }
      state.core.keep(waiter, hasAlarm: hasAlarm)
      return true
    }
  }

  @usableFromInline
  package func withCore<Result: Sendable>(
    _ body: @Sendable (inout FeedCore) -> Result
  ) -> Result {
    lock.withLock { body(&$0.core) }
  }

  @usableFromInline
  package func abandon() -> FeedClosing {
    // It is let go of outside the lock.
    var rest: Buffer?
    let (closing, sender) = lock.withLock { state in
      state.core.isStopped = true
      rest = state.buffer.take()
      state.counts.abandoned += rest?.depth ?? 0
      return (state.core.close(), state.sender.take())
    }
    sender?.resume()
    return closing
  }

  @usableFromInline
  package nonisolated(nonsending) func sleepUntilDeadline() async {
    guard let timer else { return }
    while !Task.isCancelled, let deadline = lock.withLock({ $0.buffer?.deadline }),
      timer.elapsed() < deadline
    {
      do {
        try await timer.sleep(until: deadline)
      } catch {
        // A clock that wakes nobody any more must not keep what waits.
        if !Task.isCancelled { lock.withLock { $0.hasNoTime = true } }
        return
      }
    }
  }

  @usableFromInline
  package nonisolated(nonsending) func room() async {
    await withUnsafeContinuation { sender in
      let isFull = lock.withLock { state in
        guard state.core.isOpen, state.buffer?.isFull == true else { return false }
        state.sender = sender
        return true
      }
      if !isFull { sender.resume() }
    }
  }
}

extension ShelfRun.State {
  /// Whether a consumer that waits has to look again.
  @inlinable var hasNews: Bool {
    guard let buffer else { return true }
    return buffer.isReady || (buffer.deadline != nil && !core.hasAlarm)
  }

  @inlinable
  mutating func beginGap() -> Bool {
    guard !core.isInGap else { return false }
    core.isInGap = true
    return true
  }

  /// Notes how many wait, and returns the number if it is one to report.
  @inlinable
  mutating func noteDepth() -> Int {
    let depth = buffer?.depth ?? 0
    guard depth > counts.highWaterMark else { return 0 }
    counts.highWaterMark = depth
    return FeedReport.isMark(depth) ? depth : 0
  }
}
