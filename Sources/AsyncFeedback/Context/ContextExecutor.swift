/// Where a context lives: where it reduces, and where the bodies of its feedbacks start.
public struct ContextExecutor: Sendable {
  package enum Kind: Sendable {
    case main
    case lane(any LaneExecutor)
    case serial(any SerialExecutor)
  }

  package let kind: Kind

  /// The main actor's executor, the default: views read and write synchronously.
  public static let main = ContextExecutor(kind: .main)

  /// A serial executor of the context's own, on the threads of the system's pool.
  public static var background: ContextExecutor {
    ContextExecutor(kind: .lane(BackgroundExecutor()))
  }

  /// Any serial executor, for example one shared with another actor.
  public static func serial(_ executor: any SerialExecutor) -> ContextExecutor {
    if let lane = executor as? any LaneExecutor { return ContextExecutor(kind: .lane(lane)) }
    return ContextExecutor(kind: .serial(executor))
  }

  /// Makes the actor that bodies are isolated to.
  package func makeLane() -> Lane {
    switch kind {
    case .main:
      Lane(executor: MainActor.sharedUnownedExecutor, owner: nil)
    case .lane(let executor):
      Lane(executor: executor.asUnownedSerialExecutor(), owner: executor)
    case .serial(let executor):
      Lane(executor: executor.asUnownedSerialExecutor(), owner: executor)
    }
  }

  /// Whether the calling code, which says that it is isolated to `caller`, runs on this executor.
  ///
  /// Where the runtime cannot tell, the answer is no, which is always safe: an event then takes the way
  /// of those from outside.
  package func isCurrent(caller: (any Actor)?) -> Bool {
    switch kind {
    case .main:
      caller === MainActor.shared || isOnMainQueue()
    case .lane(let executor):
      executor.isCurrent
    case .serial(let executor):
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        executor.isIsolatingCurrentContext() == true
      } else {
        false
      }
    }
  }
}

/// The actor that the bodies of one context are isolated to.
@usableFromInline
package actor Lane {
  // The executor is kept alive by `owner`; the main actor's needs no owner.
  private nonisolated let executor: UnownedSerialExecutor
  private nonisolated let owner: (any SerialExecutor)?

  @usableFromInline
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  package init(executor: UnownedSerialExecutor, owner: (any SerialExecutor)?) {
    self.executor = executor
    self.owner = owner
  }

  /// The executor that bodies prefer where their code is isolated to nothing.
  package nonisolated var preference: (any TaskExecutor)? {
    guard let lane = owner as? any LaneExecutor, lane.isPreferred else { return nil }
    return lane
  }

  /// Notes that the next job enqueued begins what would begin in place on a lane without preference.
  package nonisolated func noteBeginning() {
    guard let lane = owner as? any LaneExecutor else { return }
    lane.noteBeginning()
  }

  /// Starts work on the lane.
  package nonisolated func start(
    _ work: @escaping @Sendable (isolated Lane) async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: preference) { await self.run(work) }
  }

  private func run(_ work: @Sendable (isolated Lane) async -> Void) async {
    await work(self)
  }
}
