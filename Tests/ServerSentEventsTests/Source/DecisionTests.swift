import AsyncFeedbackTestSupport
import Foundation
import ServerSentEvents
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Event source: what it comes back from", .timeLimit(.minutes(10))) struct DecisionTests {
  private struct SignedOut: Error {}

  @Test(arguments: [URLError.Code.unsupportedURL, .badURL, .httpTooManyRedirects])
  func anAddressOfWhichNothingCanComeIsFinal(code: URLError.Code) {
    let error = EventSourceError.network(URLError(code), nil)
    #expect(EventSourceDecision.standard(error, lastEventID: "1") == .fail)
    #expect(EventSourceDecision.persistent(error, lastEventID: "1") == .fail)
    #expect(!error.isTransient)
  }

  @Test func aNetworkThatFailedTheRequestMayComeBack() {
    let offline = EventSourceError.notStarted(URLError(.notConnectedToInternet))
    #expect(EventSourceDecision.standard(offline, lastEventID: "") == .fail)
    #expect(EventSourceDecision.persistent(offline, lastEventID: "") == .reconnect)
    let signedOut = EventSourceError.notStarted(SignedOut())
    #expect(EventSourceDecision.persistent(signedOut, lastEventID: "") == .fail)
  }

  @Test(arguments: ["relative/path", "nonsense:foo"])
  func anAddressThatIsNoneEndsTheSequence(address: String) async throws {
    // On a clock that nobody moves a second try would never come.
    let source = EventSource(try #require(URL(string: address)), clock: TestClock())
    await #expect(throws: EventSourceError.self) {
      for try await _ in source {}
    }
    #expect(source.status.attempts == 1)
  }
}
