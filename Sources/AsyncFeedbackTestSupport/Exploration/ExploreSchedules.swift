/// Runs the body of a test under many orders of what is ready, and fails if it fails under one of them.
///
/// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
/// ```swift
/// await exploreSchedules(1_000) {
///   let context = TestContext(state: .init(), system: Counter())
///   await context
///     .run()
///     .send(.countEntered(3))
///     .check { state in #expect(state.message == "multiple of 3!!") }
///     .finish()
/// }
/// ```
///
/// Where several jobs are ready, a live context runs now this one first and now that one, as answers come
/// in. Here each run of the body takes another of these orders; only such as keep the laws. A
/// ``TestContext`` and a ``DeterministicExecutor`` made in the body take part, several of them together.
/// Everything that the test uses belongs into the body, so that each run begins anew.
///
/// The first failing schedule ends the exploration with one failure, at the line of the call. It tells the
/// seed that repeats it, the shortest failing order found, the failure of the body with its place, and the
/// transcript. What counts are failures of a `TestContext`, of `#expect` and `#require`, and an error that
/// the body throws. (On XCTest's assertions nobody can look; they fail the test as often as they are
/// run.) A body that takes another course under the same schedule is named as such.
///
/// The body runs where the caller does. When the task is cancelled, no other run begins.
///
/// - Parameters:
///   - count: how many schedules there are at the most. There are fewer where nothing is left to try.
///   - strategy: random schedules, or all of them.
///   - seed: that of the first random schedule; each that follows has the next one. The schedule of seed
///     0 takes what is ready in the order it came. Without a seed it is the value of
///     `ASYNC_FEEDBACK_SEED` in the environment, or else 0.
/// - Returns: what was gone through.
@discardableResult
public nonisolated(nonsending) func exploreSchedules(
  _ count: Int, _ strategy: ScheduleStrategy = .random, seed: UInt64? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ body: nonisolated(nonsending) () async throws -> Void
) async -> Exploration {
  await exploreSchedules(
    count, strategy, seed: seed,
    reporter: FailureReporter(fileID: fileID, filePath: filePath, line: line, column: column), body)
}

/// Runs the body of a test in one order of what is ready: that of a failure.
///
/// ```swift
/// await exploreSchedules(order: [4: 1]) {
///   // the body that failed
/// }
/// ```
///
/// All else is as in ``exploreSchedules(_:_:seed:_:)``, except that no shorter order is looked for.
@discardableResult
public nonisolated(nonsending) func exploreSchedules(
  order: ScheduleOrder, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  _ body: nonisolated(nonsending) () async throws -> Void
) async -> Exploration {
  await exploreSchedules(
    order: order,
    reporter: FailureReporter(fileID: fileID, filePath: filePath, line: line, column: column), body)
}

@discardableResult
package nonisolated(nonsending) func exploreSchedules(
  _ count: Int, _ strategy: ScheduleStrategy = .random, seed: UInt64? = nil,
  reporter: FailureReporter, _ body: nonisolated(nonsending) () async throws -> Void
) async -> Exploration {
  precondition(count > 0, "the count of schedules must be positive (was \(count))")
  SeedVariable.current.reportMalformed(to: reporter)
  let plan = ScheduleExploration(
    count: count, strategy: strategy, seed: seed ?? SeedVariable.current.seed ?? 0,
    place: reporter.place)
  var result = Exploration(count: 0, isComplete: false, hasFailed: false)
  var report: String?
  await capturingIssues { (result, report) = await plan.run(body) }
  if let report { reporter.record(report) }
  return result
}

@discardableResult
package nonisolated(nonsending) func exploreSchedules(
  order: ScheduleOrder, reporter: FailureReporter,
  _ body: nonisolated(nonsending) () async throws -> Void
) async -> Exploration {
  var report: String?
  await capturingIssues {
    let attempt = await Attempt.run(under: Schedule(order: order), at: reporter.place, body)
    guard attempt.failure != nil else { return }
    report = (["the body failed in the order \(order)."] + attempt.report).joined(separator: "\n")
  }
  if let report { reporter.record(report) }
  return Exploration(count: 1, isComplete: false, hasFailed: report != nil)
}
