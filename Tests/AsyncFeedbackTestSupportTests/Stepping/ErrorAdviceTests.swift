import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

/// What to do about an error that becomes no event.
@Suite struct ErrorAdviceTests {
  private struct Offline: Error {}
  private let failures = Failures()
  private let clock = TestClock()

  @Test func aCatchThatReturnsNilIsNamed() async {
    let feedback = Feedback<Sample>(.once, name: "load", catch: { _ in nil }) { _ async throws in
      throw Offline()
    }
    await failures.context(.init(), Sample(feedback)).run().settle().finish()
    #expect(
      failures.heads.map(withoutPlaces) == [
        """
        load (place) failed with an error that becomes no event: Offline()
        Its `catch` has returned nil: let it make an event of each error.
        """
      ])
  }

  @Test func whereThereIsNoneItIsAskedFor() async {
    let feedback = Feedback<Sample>(.once, name: "load") { [clock] _ async in
      try? await clock.sleep(for: .seconds(5))
      return nil
    }
    .timingOut(after: .seconds(1), clock: clock)
    await failures.context(.init(), Sample(feedback)).run().advance(by: .seconds(1)).finish()
    #expect(
      failures.heads.map(withoutPlaces) == [
        """
        load (place) failed with an error that becomes no event: the body did not end within 1.0 seconds
        Give the feedback a `catch` that makes an event of it.
        """
      ])
  }
}
