private import AsyncFeedback

/// The variable of the environment that gives every test of a process the seed of its schedule.
package final class SeedVariable: Sendable {
  package static let name = "ASYNC_FEEDBACK_SEED"

  /// That of the process; a test of it has another.
  @TaskLocal package static var current = SeedVariable(
    value: ProcessEnvironment.value(of: name))

  /// The seed, if there is one.
  package let seed: UInt64?

  private let malformed: String?
  private let isReported = Lock(false)

  package init(value: String?) {
    seed = value.flatMap { UInt64($0) }
    malformed = seed == nil ? value : nil
  }

  /// What each failure says whose order was drawn by the seed.
  var note: String? {
    seed.map {
      """
      What was ready went in an order drawn by \(Self.name)=\($0): the same test with the same \
      value takes the same course.
      """
    }
  }

  /// Records, once in a process, that the value is no seed.
  func reportMalformed(to reporter: FailureReporter) {
    guard let malformed else { return }
    let isFirst = isReported.withLock { isReported in
      defer { isReported = true }
      return !isReported
    }
    guard isFirst else { return }
    reporter.record(
      """
      \(Self.name) must be a whole number from 0 to \(UInt64.max) (was "\(malformed)"), so all tests \
      of this process run what is ready in the order it came. Set it to the seed that a failure names, or \
      unset it.
      """)
  }
}
