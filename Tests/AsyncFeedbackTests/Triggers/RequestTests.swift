import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Request") struct RequestTests {
  struct Fields: Sendable {
    var query: String?
    var other = 0
    var results: [String] = []
  }

  private func rehearsal(
    _ query: String? = nil, policy: Policy = .latest, log: Journal<String>
  ) -> Rehearsal<Fields, Change<Fields>> {
    Rehearsal(Fields(query: query)) { clock in
      Feedback.request(\.query, policy: policy) { query in
        log.note("begin \(query)")
        do {
          try await clock.sleep(for: .seconds(1))
        } catch {
          log.note("cancelled \(query)")
        }
        return Change { $0.results.append(query) }
      }
    }
  }

  @Test func aRequestThatAppearsStartsARunAndNilCancelsIt() {
    let log = Journal<String>()
    let rehearsal = rehearsal(log: log)
    rehearsal.run()
    #expect(log.entries == [])
    rehearsal.set(\.query, "a")
    #expect(log.entries == ["begin a"])
    rehearsal.set(\.query, nil)
    #expect(log.entries == ["begin a", "cancelled a"])
    rehearsal.advance(by: 10)
    #expect(rehearsal.state.results == [])
  }

  @Test func aRequestThatStandsAtTheFirstLoopStartsARun() {
    let log = Journal<String>()
    let rehearsal = rehearsal("a", log: log)
    rehearsal.run()
    rehearsal.advance(by: 1)
    #expect(rehearsal.state.results == ["a"])
  }

  @Test func anotherRequestReplacesTheRunningOne() {
    let log = Journal<String>()
    let rehearsal = rehearsal("a", log: log)
    rehearsal.run()
    rehearsal.set(\.query, "b")
    rehearsal.advance(by: 1)
    // As in a live context, the new run begins in the turn, and the cancelled one ends beside it.
    #expect(log.entries == ["begin a", "begin b", "cancelled a"])
    #expect(rehearsal.state.results == ["b"])
  }

  @Test func aRequestThatStaysIsNotRunAgain() {
    let log = Journal<String>()
    let rehearsal = rehearsal("a", log: log)
    rehearsal.run()
    rehearsal.advance(by: 1)
    rehearsal.send(.set(\.other, 1), .set(\.query, "a"))
    rehearsal.advance(by: 10)
    #expect(log.entries == ["begin a"])
    rehearsal.send(.set(\.query, nil), .set(\.query, "a"))
    rehearsal.advance(by: 1)
    #expect(log.entries == ["begin a", "begin a"])
  }

  @Test func anotherRequestIsTakenAsThePolicySays() {
    let expected: [(Policy, begun: [String], results: [String])] = [
      (.latest, ["a", "b"], ["b"]),
      (.overlapping, ["a", "b"], ["a", "b"]),
      (.queued, ["a"], ["a", "b"]),
      (.dropping, ["a"], ["a"]),
    ]
    for (policy, begun, results) in expected {
      let log = Journal<String>()
      let rehearsal = rehearsal("a", policy: policy, log: log)
      rehearsal.run()
      rehearsal.set(\.query, "b")
      let begins = log.entries.filter { $0.hasPrefix("begin") }
      #expect(begins == begun.map { "begin \($0)" })
      rehearsal.advance(by: 10)
      #expect(rehearsal.state.results == results)
    }
  }

  @Test func nilEndsEveryRunOfAnOverlappingRequest() {
    let log = Journal<String>()
    let rehearsal = rehearsal("a", policy: .overlapping, log: log)
    rehearsal.run()
    rehearsal.set(\.query, "b")
    rehearsal.set(\.query, nil)
    #expect(Set(log.entries) == ["begin a", "begin b", "cancelled a", "cancelled b"])
    rehearsal.advance(by: 10)
    #expect(rehearsal.state.results == [])
  }

  @Test func aRequestThatComesAndGoesInOneTurnRunsNothing() {
    let log = Journal<String>()
    let rehearsal = rehearsal(log: log)
    rehearsal.run()
    rehearsal.send(.set(\.query, "a"), .set(\.query, nil))
    #expect(log.entries == [])
  }
}
