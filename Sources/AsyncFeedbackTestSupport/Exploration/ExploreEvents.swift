public import AsyncFeedback

/// Explores sequences of events together with the orders of what is ready, and fails if an invariant does
/// not hold in a state on the way.
///
/// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
/// ```swift
/// await exploreEvents(
///   of: Counter(), from: .init(), events: [.countEntered(1), .countEntered(3)],
///   invariants: [Invariant("the count is positive") { $0.count > 0 }])
/// ```
///
/// Each sequence runs on a ``TestContext`` of its own, under a schedule of its own (see
/// ``exploreSchedules(_:_:seed:_:)``): events are sent, time passes, and what goes on goes on. The
/// invariants are looked at in the state to begin with and after every transition, those by answers and
/// those while an advance goes on included. What fails a test context, such as an error that becomes no
/// event, fails the sequence too; a run that is still going at its end does not.
///
/// The first failing sequence ends the exploration with one failure at the line of the call. It names the
/// invariant, the transition that broke it, the seed, and the shortest failing sequence found, as a test
/// that can be pasted. When the task is cancelled, no other sequence begins.
///
/// - Parameters:
///   - system: the system. One that sleeps on a clock is better made anew for each sequence, by the
///     function with a clock.
///   - state: the state that each sequence begins with.
///   - events: a list of events to draw from, or what makes them.
///   - durations: what a clock may be advanced by. Time passes only if there are some.
///   - steps: how many steps a sequence has at the most.
///   - sequences: how many sequences there are.
///   - seed: that of the first sequence; each that follows has the next one. Without a seed it is the
///     value of `ASYNC_FEEDBACK_SEED` in the environment, or else 0.
///   - invariants: what has to hold in every state.
/// - Returns: what was gone through.
@discardableResult
public nonisolated(nonsending) func exploreEvents<System: SystemProtocol>(
  of system: System, from state: System.State, events: EventGenerator<System>,
  advancingBy durations: [Duration] = [], steps: Int = 10, sequences: Int = 1_000,
  seed: UInt64? = nil, invariants: [Invariant<System.State>], fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async -> Exploration {
  await exploreEvents(
    of: { _ in system }, hasOwnClock: false, from: state, events: events, advancingBy: durations,
    steps: steps, sequences: sequences, seed: seed, invariants: invariants,
    reporter: FailureReporter(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Explores sequences of events of a system with a clock, which each sequence gets anew.
///
/// All else is as in
/// ``exploreEvents(of:from:events:advancingBy:steps:sequences:seed:invariants:)``.
@discardableResult
public nonisolated(nonsending) func exploreEvents<System: SystemProtocol>(
  of makeSystem: @escaping @Sendable (TestClock) -> System, from state: System.State,
  events: EventGenerator<System>, advancingBy durations: [Duration] = [.seconds(1)],
  steps: Int = 10,
  sequences: Int = 1_000, seed: UInt64? = nil, invariants: [Invariant<System.State>],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async -> Exploration {
  await exploreEvents(
    of: makeSystem, hasOwnClock: true, from: state, events: events, advancingBy: durations,
    steps: steps, sequences: sequences, seed: seed, invariants: invariants,
    reporter: FailureReporter(fileID: fileID, filePath: filePath, line: line, column: column))
}

@discardableResult
package nonisolated(nonsending) func exploreEvents<System: SystemProtocol>(
  of makeSystem: @escaping @Sendable (TestClock) -> System, hasOwnClock: Bool,
  from state: System.State, events: EventGenerator<System>, advancingBy durations: [Duration],
  steps: Int = 10, sequences: Int = 1_000, seed: UInt64? = nil,
  invariants: [Invariant<System.State>], reporter: FailureReporter
) async -> Exploration {
  precondition(steps > 0, "the count of steps must be positive (was \(steps))")
  precondition(sequences > 0, "the count of sequences must be positive (was \(sequences))")
  precondition(
    durations.allSatisfy { $0 > .zero },
    "the durations to advance by must be positive (were \(durations))")
  SeedVariable.current.reportMalformed(to: reporter)
  let rehearsal = Rehearsal(
    makeSystem: makeSystem, hasOwnClock: hasOwnClock, state: state, place: reporter.place,
    look: { state in
      invariants.first { !$0.holds(state) }.map { "the invariant \"\($0.name)\" does not hold" }
    })
  let plan = EventExploration(
    rehearsal: rehearsal, events: events, durations: durations, length: steps, count: sequences,
    seed: seed ?? SeedVariable.current.seed ?? 0)
  var result = Exploration(count: 0, isComplete: false, hasFailed: false)
  var report: String?
  await capturingIssues { (result, report) = await plan.run() }
  if let report { reporter.record(report) }
  return result
}
