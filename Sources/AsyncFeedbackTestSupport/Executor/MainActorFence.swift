/// Lets everything pass that waits for the main actor.
enum MainActorFence {
  /// Suspends until everything has run that waits for the main actor now.
  static func pass(_ caller: isolated (any Actor)? = #isolation) async {
    // From elsewhere the way to the main actor leads behind what waits there. Whoever is there has to
    // leave it and to come back.
    if caller === MainActor.shared { await leave() } else { await enter() }
  }

  // Something of the actor's own has to be touched: the optimiser leaves a hop out for nothing.
  @MainActor private static var entries: UInt64 = 0

  @MainActor private static func enter() {
    entries &+= 1
  }

  @MainActor private static func leave() async {
    await Gate.shared.pass()
  }
}

/// An actor whose callers never change their thread.
///
/// From the main actor a round trip takes a thousandth of what one by way of another thread does.
private actor Gate {
  static let shared = Gate()

  private let executor = PassingExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private var passes: UInt64 = 0

  func pass() {
    passes &+= 1
  }
}

/// An executor that runs a job at once, on the thread that brings it.
///
/// What two threads bring at a time would run at a time; the one actor that has it is called from the main
/// actor only, which brings one job at a time.
private final class PassingExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }
}
