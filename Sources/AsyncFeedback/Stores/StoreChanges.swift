/// All that those need to know who follow a store.
package struct StoreMoment<Value: Sendable>: Sendable {
  package private(set) var state = StreamState<Value>.empty
  /// How often the state was set.
  package private(set) var version = 0
  /// How often the store was refreshed.
  package var generation = 0
  /// How often a sequence has ended by itself.
  package private(set) var ends = 0
  /// The version of the state with which the last of them ended.
  package private(set) var versionAtEnd: Int?

  package init() {}

  var isEmpty: Bool {
    if case .empty = state { true } else { false }
  }

  mutating func show(_ state: StreamState<Value>) {
    self.state = state
    version += 1
  }

  mutating func end() {
    ends += 1
    versionAtEnd = version
  }
}

/// What a feedback is told of the store that it keeps running.
package enum StoreChange<Value: Sendable>: Sendable {
  case state(StreamState<Value>)
  case ended

  var isEnd: Bool {
    if case .ended = self { true } else { false }
  }
}

/// The changes of a store, which runs as long as they are consumed.
///
/// The first is the state that stands; a consumer that is busy gets only the newest. They go on when the
/// sequence of the store has ended or failed, since a refresh starts another, and end only with the consumer.
package struct StoreChanges<Value: Sendable>: AsyncSequence, Sendable {
  package typealias Element = StoreChange<Value>
  package typealias Failure = Never

  private let store: @MainActor @Sendable () -> StreamValue<Value>

  package init(_ store: @escaping @MainActor @Sendable () -> StreamValue<Value>) {
    self.store = store
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(store: store)
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let store: @MainActor @Sendable () -> StreamValue<Value>
    private var follower: Follower<Value>?

    fileprivate init(store: @escaping @MainActor @Sendable () -> StreamValue<Value>) {
      self.store = store
    }

    package mutating func next() async -> StoreChange<Value>? {
      await next(isolation: nil)
    }

    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> StoreChange<Value>? {
      if follower == nil { follower = await Opening.open(store).map(Follower.init) }
      return await follower?.next(isolation: actor)
    }
  }
}

/// A store that runs, as seen from elsewhere.
private struct Opening<Value: Sendable>: Sendable {
  let store: StreamValue<Value>
  let share: Share
  let moment: StoreMoment<Value>
  let moments: LatestValue<StoreMoment<Value>>

  /// Runs a store; nil if nobody wants that any more.
  @MainActor
  static func open(_ make: @MainActor @Sendable () -> StreamValue<Value>) -> Self? {
    guard !Task.isCancelled else { return nil }
    let store = make()
    let (share, moment, moments) = store.follow()
    return Self(store: store, share: share, moment: moment, moments: moments)
  }
}

/// One who follows a store and keeps it running.
private final class Follower<Value: Sendable> {
  private let store: StreamValue<Value>
  private var moments: LatestValues<StoreMoment<Value>>.Iterator
  private var share: Share
  private var generation: Int
  private var ends: Int
  private var version: Int?
  /// What is to be told next, the later first.
  private var due: [StoreChange<Value>] = []

  init(_ opening: Opening<Value>) {
    store = opening.store
    moments = LatestValues(opening.moments).makeAsyncIterator()
    share = opening.share
    generation = opening.moment.generation
    ends = opening.moment.ends
  }

  func next(isolation: isolated (any Actor)?) async -> StoreChange<Value>? {
    while due.isEmpty {
      guard let moment = await nextMoment(isolation: isolation) else { return nil }
      if moment.generation != generation { await takeShareAnew() }
      take(moment)
    }
    return due.removeLast()
  }

  private func take(_ moment: StoreMoment<Value>) {
    if moment.version != version { due.append(.state(moment.state)) }
    if moment.ends != ends {
      // What was shown since belongs to another sequence, and comes after the end of the last.
      due.insert(.ended, at: moment.version == moment.versionAtEnd ? 0 : due.count)
    }
    (version, ends) = (moment.version, moment.ends)
  }

  /// Waits for a moment that has not been seen; nil when the task is cancelled, and the share given up.
  private func nextMoment(
    isolation: isolated (any Actor)?
  ) async -> StoreMoment<Value>? {
    let share = share
    return await withTaskCancellationHandler {
      await moments.next(isolation: isolation)
    } onCancel: {
      share.giveUp()
    }
  }

  private nonisolated(nonsending) func takeShareAnew() async {
    guard let opening = await Opening.open({ [store] in store }) else { return }
    (share, generation) = (opening.share, opening.moment.generation)
  }
}
