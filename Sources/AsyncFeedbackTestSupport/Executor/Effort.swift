/// How long the work of a test may go on without coming to rest.
package struct Patience: Sendable {
  /// The real time that may pass without progress; ten times that may pass in all.
  let limit: Duration
  /// Counts what the work has brought about.
  let progress: @Sendable () -> Int
  let now: @Sendable () -> ContinuousClock.Instant

  package init(
    limit: Duration, progress: @escaping @Sendable () -> Int,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.limit = limit
    self.progress = progress
    self.now = now
  }
}

/// The work of one step, which ends when nothing is ready or the patience is spent.
///
/// The time is a safety net that turns a step without an end into a report. It must not strike where
/// work is only slow, so it is looked at every hundred jobs, and between two looks at most a twentieth
/// of the limit counts: a pause of the whole process spends next to nothing.
struct Effort: Sendable {
  private enum Phase {
    /// The time is not over.
    case patient
    /// The time is over; jobs are run only to tell whose they are.
    case watching
    /// The work has been given up before, and gets no more time than a few jobs take.
    case capped
    case spent

    /// How many jobs it takes before the effort is looked at again.
    var length: Int {
      switch self {
      case .patient, .watching: 100
      case .capped: 1_000
      case .spent: .max
      }
    }
  }

  private static var looks: Int { 20 }

  private let patience: Patience?
  private var phase: Phase
  private var left: Int
  private var isWatching = false
  private var lastLook: ContinuousClock.Instant?
  private var lastProgress = 0
  private var timeWithoutProgress = Duration.zero
  private var time = Duration.zero

  private(set) var isSpent = false

  /// Whose jobs were still being run when the time was over.
  private(set) var suspects: Set<JobIdentity> = []

  init(patience: Patience?, isRestless: Bool) {
    self.patience = patience
    phase = isRestless ? .capped : .patient
    left = phase.length
  }

  /// Notes that a job has been run, or without one that the main actor was waited for.
  mutating func note(_ job: JobIdentity? = nil) {
    left -= 1
    if isWatching, let job { suspects.insert(job) }
    if left == 0 { goOn() }
  }

  private mutating func goOn() {
    switch phase {
    case .patient: if isOver() { phase = .watching }
    case .watching, .capped: phase = .spent
    case .spent: break
    }
    left = phase.length
    isWatching = phase == .watching
    isSpent = phase == .spent
  }

  /// Looks at the clock, and tells whether the time is over.
  private mutating func isOver() -> Bool {
    guard let patience else { return false }
    let now = patience.now()
    let progress = patience.progress()
    defer { (lastLook, lastProgress) = (now, progress) }
    guard let lastLook else { return false }
    let passed = min(now - lastLook, patience.limit / Self.looks)
    time += passed
    timeWithoutProgress = progress == lastProgress ? timeWithoutProgress + passed : .zero
    return timeWithoutProgress >= patience.limit || time >= patience.limit * 10
  }
}
