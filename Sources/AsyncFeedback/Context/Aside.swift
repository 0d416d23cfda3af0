/// A task of the loop's that does work in the middle of somebody else's code.
///
/// A synchronous body has to see the task-local values and the priority of the loop, never those of
/// whoever happened to send (law 19). When a view sends an event in the middle of its own task, the body
/// has to run at once all the same. So the loop keeps a task of its own suspended, always ready to go
/// on; whoever needs it runs its next step right where he stands:
///
///     sender's task                    the loop's task
///     send(.tapped)
///     reduce
///     perform { body }  ------------>  suspended in `round`, goes on
///                                      body sees the loop's values
///                       <------------  hops to the other seat: suspended
///     send returns
///
/// The task suspends by hopping between two actors. Their executors run nothing by themselves: they keep
/// the job that was enqueued last until `perform` runs it.
// Reached only on the executor of one context, one `perform` at a time.
package final class Aside: @unchecked Sendable {
  private var job: UnownedJob?
  private var executor: UnownedSerialExecutor?
  private var starter: Seat?
  private var work: (() -> Void)?
  private var hasEnded = false

  /// Makes the task.
  ///
  /// Call it in the task whose task-local values and priority it is to have.
  package init() {
    let starter = Seat(self, isStarter: true)
    let here = Place(self)
    let there = Place(self)
    self.starter = starter
    Task(executorPreference: starter) { await here.alternate(with: there, doing: self) }
    // From the starter to one place, and on to the other, where the first work finds it.
    step()
    step()
  }

  /// Runs work in the loop's task, and returns when it is done.
  package func perform(_ work: () -> Void) {
    withoutActuallyEscaping(work) { work in
      self.work = work
      step()
      self.work = nil
    }
  }

  /// Lets the task end.
  package func end() {
    hasEnded = true
    while job != nil { step() }
    starter = nil
  }

  fileprivate func keep(_ job: UnownedJob, _ executor: UnownedSerialExecutor?) {
    self.job = job
    self.executor = executor
  }

  private func step() {
    guard let job = job.take() else { return }
    if let executor {
      job.runSynchronously(on: executor)
    } else if let starter {
      job.runSynchronously(on: starter.asUnownedTaskExecutor())
    }
  }

  fileprivate func round() -> Bool {
    work?()
    return !hasEnded
  }
}

/// An executor that keeps its job for the aside.
private final class Seat: SerialExecutor, TaskExecutor {
  // The aside's task holds the aside and the seats, and `end` lets it go.
  private unowned let aside: Aside
  private let isStarter: Bool

  init(_ aside: Aside, isStarter: Bool) {
    self.aside = aside
    self.isStarter = isStarter
  }

  func enqueue(_ job: consuming ExecutorJob) {
    aside.keep(UnownedJob(job), isStarter ? nil : asUnownedSerialExecutor())
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}

/// One of the two places between which the aside's task hops.
private actor Place {
  private nonisolated let seat: Seat

  nonisolated var unownedExecutor: UnownedSerialExecutor { seat.asUnownedSerialExecutor() }

  init(_ aside: Aside) {
    seat = Seat(aside, isStarter: false)
  }

  func alternate(with other: Place, doing aside: Aside) async {
    while await other.round(aside), aside.round() {}
  }

  private func round(_ aside: Aside) -> Bool {
    aside.round()
  }
}
