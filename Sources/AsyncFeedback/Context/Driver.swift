/// What runs a system: it performs what the machine says, on the executor of one context.
///
/// The context is only its face. Whoever works for a context holds its driver, so nothing in the library
/// keeps a context alive (law 9).
// Apart from what is documented as callable from anywhere, it is reached on its executor only.
@usableFromInline package final class Driver<System: SystemProtocol>: @unchecked Sendable {
  let feedbacks: [Feedback<System>]
  let executor: ContextExecutor
  let lane: Lane
  let turnstile: Turnstile
  @usableFromInline package let state: UnsafeMutablePointer<System.State>
  @usableFromInline package let hot: UnsafeMutablePointer<Hot>
  @usableFromInline let queue: UnsafeMutablePointer<EventQueue<Entry<System.Event>>>
  @usableFromInline let inbox = Inbox<System.Event>()
  @usableFromInline let nodes: NodeList<System>
  let attendance = Attendance()
  let bench = WaitingBench()
  let silent = SilentRuns()
  let monitor: (any ContextMonitor)?
  let runawayLimit: Int?
  /// The thread that is inside a turn.
  let turnThread = CurrentThread()
  // Set once, by the initialiser of the context, and read for each event.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  private(set) var hotLoop: HotLoop<System>!

  // What follows changes with the loop; what changes with each event is in `hot`.
  /// The session that runs, by its number in the attendance; nil while stopped.
  var activeSession: Int?
  var isFirstPass = true
  /// The transitions by what was sent before the loop was started, as far as it goes on starting.
  var stretch = 0..<0
  var aside: Aside?
  /// The runs whose bodies are suspended or wait to begin.
  var records: [RunID: RunRecord] = [:]
  var outlets: [Paced: PacedOutlet<UInt64>] = [:]
  var pacedWaiting = 0
  /// The writes of bindings that wait in the queue, oldest first.
  var writes = EventQueue<(inout System.State) -> Void>()
  /// The state with the waiting writes applied, while there are any.
  var preview: UnsafeMutablePointer<System.State>?
  /// Whether an event was reduced since the preview was made.
  var isPreviewStale = false
  /// Whether the transition that is going on is that of a write, which the preview has shown already.
  var isWriteApplied = false
  var fields: [AnyKeyPath: FieldCell] = [:]
  /// What bindings have written by sending events that wait, and what stands for it in Observation.
  var drafts: [AnyKeyPath: any DraftProtocol<System.State>] = [:]
  var draftCells: [AnyKeyPath: FieldCell] = [:]
  /// Whether something was written within the turn, which is told at its end if it still waits then.
  var isTellingDue = false
  var untoldDrafts: Set<AnyKeyPath> = []
  var watchers: [Watcher<System>] = [] {
    didSet { noteWhetherWatched() }
  }
  let retiredWatchers = RetiredWatchers()
  /// Whether those who watch are being told of a change, and whether there is one more to tell.
  var isWatching = false
  var isWatchWanted = false
  /// Whether a watch has ended while others were being told.
  var hasEndedWatchers = false
  let audience = Audience()
  var newCascades: UInt64 = 0
  var followed: [Ticket: UInt64] = [:]
  var parents: [UInt64: UInt64] = [:]
  var chain = Chain<System.Event>()
  var reported = Reported<System>()
  /// What is to be told of feeds; reached from any thread.
  let feeds = Lock(FeedDesk())
  /// How many more events may be reduced; the test support lets them through one by one.
  package var allowance = Int.max

  let isMonitored: Bool
  /// Whether bodies prefer the executor of the lane where they are isolated to nothing.
  let hasPreference: Bool

  /// A feedback, or one of its keys, that has a pace.
  struct Paced: Hashable {
    let feedback: Int
    let key: RunKey?
  }

  @usableFromInline
  init(
    state: System.State, feedbacks: [Feedback<System>], executor: ContextExecutor,
    monitor: (any ContextMonitor)?, runawayLimit: Int?
  ) {
    if let runawayLimit {
      precondition(runawayLimit > 0, "runawayLimit must be positive (was \(runawayLimit))")
    }
    self.feedbacks = feedbacks
    self.executor = executor
    self.monitor = monitor
    isMonitored = monitor != nil
    self.runawayLimit = runawayLimit
    lane = executor.makeLane()
    hasPreference = lane.preference != nil
    turnstile = Turnstile(executor)
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
    nodes = NodeList(feedbacks, look: UnsafePointer(self.state))
    queue = .allocate(capacity: 1)
    queue.initialize(to: EventQueue())
    hot = .allocate(capacity: 1)
    let limit = runawayLimit.map { UInt32(clamping: $0) } ?? .max
    hot.initialize(
      to: Hot(
        machine: Machine(policies: feedbacks.map(\.policy.kind)), isMonitored: monitor != nil,
        deepFrom: limit == .max ? .max : limit - min(limit - 1, UInt32(Chain<System.Event>.length)))
    )
  }

  deinit {
    queue.deinitialize(count: 1)
    queue.deallocate()
    hot.deinitialize(count: 1)
    hot.deallocate()
    dropPreview()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Gives the driver its loop.
  ///
  /// Called once, by the initialiser of the context.
  @usableFromInline
  func install(_ loop: HotLoop<System>) {
    hotLoop = loop
  }

  /// The state as readers see it: with the waiting writes of bindings applied.
  package var visible: UnsafePointer<System.State> {
    if isPreviewStale {
      isPreviewStale = false
      refreshPreview()
    }
    if let preview { return UnsafePointer(preview) }
    return UnsafePointer(state)
  }

  /// A number for what nothing from outside has caused.
  func makeCascade() -> UInt64 {
    newCascades += 1
    return newCascades << 2 | 2
  }
}
