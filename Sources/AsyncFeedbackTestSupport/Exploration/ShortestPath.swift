public import AsyncFeedback

/// Looks for the fewest steps that bring a system to a state.
///
/// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
/// ```swift
/// let path = await shortestPath(
///   of: Counter(), from: .init(), events: [.countEntered(2), .countEntered(3)]
/// ) { state in state.message == "multiple of 3!!" }
/// print(path ?? [])  // [.send(.countEntered(3))]
/// ```
///
/// Breadth first: all sequences of one step, then all of two, each run from the beginning on a
/// ``TestContext`` of its own, in which what is ready goes in the order it came. A sequence is not
/// continued if an earlier one has led to the same place: an equal state (one that reads the same, if it
/// is not `Hashable`), the same feedbacks at work, and the same sleeps. What a body keeps to itself cannot
/// be told; a system whose bodies remember something may have a shorter path.
///
/// - Parameters:
///   - system: the system. With a clock, it is better made by the function with a clock.
///   - state: the state to begin with.
///   - events: what may be sent.
///   - durations: what a clock may be advanced by.
///   - limit: how many sequences may be run.
///   - isGoal: whether a state is the one looked for. It is asked after every transition, also those
///     that follow from the last step when the system is let go on.
/// - Returns: the steps; none if the state to begin with is the one. `nil` if there is no such path, or
///   none within the limit. A sequence that fails a test context is recorded as a failure, and ends it.
public nonisolated(nonsending) func shortestPath<System: SystemProtocol>(
  of system: System, from state: System.State, events: [System.Event],
  advancingBy durations: [Duration] = [], limit: Int = 10_000, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  to isGoal: @escaping @Sendable (System.State) -> Bool
) async -> [EventStep<System.Event>]? {
  await shortestPath(
    of: { _ in system }, hasOwnClock: false, from: state, events: events, advancingBy: durations,
    limit: limit,
    reporter: FailureReporter(fileID: fileID, filePath: filePath, line: line, column: column),
    to: isGoal)
}

/// Looks for the fewest steps that bring a system with a clock to a state; each sequence gets the clock
/// anew.
///
/// All else is as in ``shortestPath(of:from:events:advancingBy:limit:to:)``.
public nonisolated(nonsending) func shortestPath<System: SystemProtocol>(
  of makeSystem: @escaping @Sendable (TestClock) -> System, from state: System.State,
  events: [System.Event], advancingBy durations: [Duration] = [.seconds(1)], limit: Int = 10_000,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, to isGoal: @escaping @Sendable (System.State) -> Bool
) async -> [EventStep<System.Event>]? {
  await shortestPath(
    of: makeSystem, hasOwnClock: true, from: state, events: events, advancingBy: durations,
    limit: limit,
    reporter: FailureReporter(fileID: fileID, filePath: filePath, line: line, column: column),
    to: isGoal)
}

package nonisolated(nonsending) func shortestPath<System: SystemProtocol>(
  of makeSystem: @escaping @Sendable (TestClock) -> System, hasOwnClock: Bool,
  from state: System.State, events: [System.Event], advancingBy durations: [Duration], limit: Int,
  reporter: FailureReporter, to isGoal: @escaping @Sendable (System.State) -> Bool
) async -> [EventStep<System.Event>]? {
  SeedVariable.current.reportMalformed(to: reporter)
  let search = PathSearch(
    rehearsal: Rehearsal(
      makeSystem: makeSystem, hasOwnClock: hasOwnClock, state: state, place: reporter.place,
      look: { isGoal($0) ? "the goal" : nil }),
    events: events, durations: durations, limit: limit)
  var path: [EventStep<System.Event>]?
  var fault: String?
  await capturingIssues { (path, fault) = await search.run() }
  if let fault { reporter.record(fault) }
  return path
}
