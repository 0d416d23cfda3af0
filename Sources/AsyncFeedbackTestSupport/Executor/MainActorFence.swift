/// Lets everything pass that waits for the main actor.
enum MainActorFence {
  /// Suspends until everything has run that waits for the main actor now.
  static func pass(_ caller: isolated (any Actor)? = #isolation) async {
    // From elsewhere the way to the main actor leads behind what waits there. Whoever is there has to
    // leave it and to come back.
    if caller === MainActor.shared { await leave() } else { await enter() }
  }

  @MainActor private static func enter() async {}

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

  func pass() {}
}

/// An executor that runs a job at once, on the thread that brings it.
///
/// What two threads bring at a time would run at a time; the one actor that has it holds nothing, and its
/// callers are on the main actor.
private final class PassingExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }
}
