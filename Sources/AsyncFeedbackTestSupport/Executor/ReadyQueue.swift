/// The jobs that are ready to run, in the order they came.
///
/// Taking the first costs the same however long the queue is.
struct ReadyQueue: Sendable {
  private var jobs: [UnownedJob] = []
  private var taken = 0

  var count: Int { jobs.count - taken }

  mutating func append(_ job: UnownedJob) {
    jobs.append(job)
  }

  /// Takes the job at a place of the queue: 0 is the one that waits longest.
  mutating func take(at index: Int) -> UnownedJob {
    guard index == 0 else { return jobs.remove(at: taken + index) }
    let job = jobs[taken]
    taken += 1
    // Each job is moved at most once for the one that goes: half of the storage is free by then.
    if taken > 32, taken * 2 > jobs.count {
      jobs.removeFirst(taken)
      taken = 0
    }
    return job
  }
}
