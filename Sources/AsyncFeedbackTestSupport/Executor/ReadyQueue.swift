/// The jobs that are ready to run, in the order they came.
///
/// Some begin something that a live context begins in place, at the end of a turn. They come before all
/// others and keep their order; one that a beginning itself enqueues comes before the rest of them. A
/// task with a preference goes through several jobs before its body begins (it starts on the task
/// executor and hops to the actor's), and these few belong to the beginning. What may be taken apart
/// from these is a matter of choice, except that a job which gives way comes after all that were there
/// before it.
///
/// Taking the first costs the same however long the queue is.
struct ReadyQueue: Sendable {
  private struct Entry: Sendable {
    let job: UnownedJob
    let givesWay: Bool
  }

  private struct Beginning: Sendable {
    let job: UnownedJob
    /// How many more jobs of the same task belong to the beginning.
    var hops = 2
  }

  private var entries: [Entry] = []
  private var taken = 0
  private var givingWay = 0
  private var beginnings: [Beginning] = []
  private var begun = 0
  /// The beginnings that beginnings have put before the rest, the next one last.
  private var inner: [Beginning] = []
  /// The beginning that was taken last, until something else is.
  private var current: Beginning?
  /// How many beginnings have followed each other.
  private var begunInARow = 0
  /// How many beginnings the current one has put before the rest.
  private var nested = 0

  var count: Int { entries.count - taken + beginningCount }

  private var beginningCount: Int { beginnings.count - begun + inner.count }

  /// Whether a beginning is next.
  ///
  /// Runs that begin each other without end have to let the others in: a live turn has a budget.
  private var begins: Bool {
    beginningCount > 0 && (begunInARow < 1_000 || entries.count == taken)
  }

  /// How many jobs there are to choose from.
  var choices: Int {
    guard !begins else { return 1 }
    guard givingWay > 0 else { return entries.count - taken }
    return free.count
  }

  /// The places of the jobs that may go next, while some give way.
  private var free: [Int] {
    entries.indices.dropFirst(taken).filter { $0 == taken || !entries[$0].givesWay }
  }

  mutating func append(_ job: UnownedJob, givesWay: Bool = false) {
    entries.append(Entry(job: job, givesWay: givesWay))
    if givesWay { givingWay += 1 }
  }

  mutating func appendBeginning(_ job: UnownedJob) {
    insert(Beginning(job: job))
  }

  /// Takes in a job that the one taken last has enqueued.
  mutating func appendOwn(_ job: UnownedJob, givesWay: Bool) {
    if let current, current.hops > 0, JobIdentity(current.job) == JobIdentity(job) {
      insert(Beginning(job: job, hops: current.hops - 1))
    } else {
      append(job, givesWay: givesWay)
    }
  }

  private mutating func insert(_ beginning: Beginning) {
    guard current != nil else { return beginnings.append(beginning) }
    inner.insert(beginning, at: inner.count - nested)
    nested += 1
  }

  private mutating func takeBeginning() -> Beginning {
    if let next = inner.popLast() { return next }
    defer {
      begun += 1
      if begun == beginnings.count {
        beginnings.removeAll(keepingCapacity: true)
        begun = 0
      }
    }
    return beginnings[begun]
  }

  /// Takes one of the jobs to choose from: 0 is the one that waits longest.
  mutating func take(at choice: Int) -> UnownedJob {
    nested = 0
    current = begins ? takeBeginning() : nil
    begunInARow = current == nil ? 0 : begunInARow + 1
    if let current { return current.job }
    let place = givingWay > 0 ? free[choice] : taken + choice
    let entry = entries[place]
    if entry.givesWay { givingWay -= 1 }
    guard place == taken else {
      entries.remove(at: place)
      return entry.job
    }
    taken += 1
    // Each job is moved at most once for the one that goes: half of the storage is free by then.
    if taken > 32, taken * 2 > entries.count {
      entries.removeFirst(taken)
      taken = 0
    }
    return entry.job
  }
}
