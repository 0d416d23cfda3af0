// Without an import of AsyncFeedback: that is what is tested.
import AsyncFeedbackTestSupport
import Testing

@Test func theTestSupportBringsTheLibraryAlong() {
  let policy: Policy = .overlapping(limit: 2)
  #expect(policy != .dropping)
}
