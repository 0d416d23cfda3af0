import AsyncFeedbackTestSupport
import Testing

/// Has a test run without a seed, whatever the environment says.
///
/// For tests of the order in which jobs come, and of texts that a seed adds to.
struct Unseeded: SuiteTrait, TestTrait, TestScoping {
  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await SeedVariable.$current.withValue(SeedVariable(value: nil)) { try await function() }
  }
}

extension Trait where Self == Unseeded {
  static var unseeded: Self { Self() }
}
