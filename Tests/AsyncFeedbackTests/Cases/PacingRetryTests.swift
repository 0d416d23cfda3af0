import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Pacing: retrying and timing out") struct PacingRetryTests {
  struct Fields: Sendable {
    var key: Int? = 1
    var errors: [String] = []
    var loaded: Int?
  }

  typealias System = ChangeSystem<Fields>

  private static let failed: @Sendable (any Error) -> Change<Fields>? = { error in
    Change { $0.errors.append("\(error)") }
  }

  /// A request that fails so many times and then succeeds; notes the second of each attempt.
  private func rehearsal(
    failures: Int, attempts: Journal<Double>,
    _ modify: @escaping (Feedback<System>, TestClock) -> Feedback<System>
  ) -> Rehearsal<Fields, Change<Fields>> {
    Rehearsal(Fields()) { clock in
      modify(
        Feedback.request(\.key, catch: Self.failed) { _ in
          attempts.note(clock.now.offset / .seconds(1))
          if attempts.count <= failures { throw Failure(code: attempts.count) }
          return .set(\.loaded, attempts.count)
        }, clock)
    }
  }

  @Test func aBodyThatThrewRunsAgainAfterTheWait() {
    let attempts = Journal<Double>()
    let rehearsal = rehearsal(failures: 2, attempts: attempts) {
      $0.retrying(limit: 5, backoff: .constant(.seconds(3)), clock: $1)
    }
    rehearsal.run()
    rehearsal.advance(by: 100)
    #expect(attempts.entries == [0, 3, 6])
    #expect(rehearsal.state.loaded == 3)
    #expect(rehearsal.state.errors == [])
  }

  @Test func theErrorOfTheLastRunTakesTheRoute() {
    let attempts = Journal<Double>()
    let rehearsal = rehearsal(failures: 100, attempts: attempts) {
      $0.retrying(limit: 3, backoff: .constant(.seconds(1)), clock: $1)
    }
    rehearsal.run()
    rehearsal.advance(by: 100)
    #expect(attempts.entries == [0, 1, 2])
    #expect(rehearsal.state.errors == ["Failure(code: 3)"])
  }

  @Test func aLimitOfOneRunsOnce() {
    let attempts = Journal<Double>()
    let rehearsal = rehearsal(failures: 100, attempts: attempts) {
      $0.retrying(limit: 1, backoff: .constant(.seconds(1)), clock: $1)
    }
    rehearsal.run()
    #expect(rehearsal.state.errors == ["Failure(code: 1)"])
    rehearsal.advance(by: 100)
    #expect(attempts.count == 1)
  }

  @Test func exponentialWaitsDoubleUpToTheirLimit() {
    let attempts = Journal<Double>()
    let rehearsal = rehearsal(failures: 100, attempts: attempts) {
      $0.retrying(
        limit: 7, backoff: .exponential(from: .seconds(1), to: .seconds(10)), clock: $1)
    }
    rehearsal.run()
    rehearsal.advance(by: 1_000)
    #expect(attempts.entries == [0, 1, 3, 7, 15, 25, 35])
  }

  @Test func jitterIsDrawnFromTheUpperHalfAndRepeatsWithItsSeed() {
    func waits(seed: UInt64) -> [Double] {
      let attempts = Journal<Double>()
      let rehearsal = rehearsal(failures: 100, attempts: attempts) {
        $0.retrying(
          limit: 6,
          backoff: .exponential(from: .seconds(8), to: .seconds(32), jitterSeed: seed), clock: $1)
      }
      rehearsal.run()
      rehearsal.advance(by: 1_000)
      return zip(attempts.entries.dropFirst(), attempts.entries).map { $0 - $1 }
    }
    let waits1 = waits(seed: 1)
    #expect(waits1 == waits(seed: 1))
    #expect(waits1 != waits(seed: 2))
    for (wait, span) in zip(waits1, [8.0, 16, 32, 32, 32]) {
      #expect(wait >= span / 2 && wait <= span, "\(waits1)")
    }
    #expect(Set(waits1).count == 5)
  }

  @Test func aCancelledBodyIsNotRunAgain() {
    let attempts = Journal<Double>()
    let rehearsal = rehearsal(failures: 100, attempts: attempts) {
      $0.retrying(limit: 10, backoff: .constant(.seconds(5)), clock: $1)
    }
    rehearsal.run()
    rehearsal.advance(by: 6)
    #expect(attempts.entries == [0, 5])
    rehearsal.set(\.key, nil)
    #expect(rehearsal.clock.now == .init(offset: .seconds(6)))
    rehearsal.advance(by: 100)
    #expect(attempts.entries == [0, 5])
    #expect(rehearsal.state.errors == [])
  }

  @Test func aBodyThatThrowsBecauseItIsCancelledIsNotRunAgain() {
    let attempts = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.request(\.key, catch: Self.failed) { key in
        attempts.note("begin \(key)")
        try await clock.sleep(for: .seconds(10))
        return nil
      }
      .retrying(limit: 10, backoff: .constant(.seconds(5)), clock: clock)
    }
    rehearsal.run()
    rehearsal.set(\.key, 2)
    rehearsal.advance(by: 100)
    #expect(attempts.entries == ["begin 1", "begin 2"])
    #expect(rehearsal.state.errors == [])
  }

  // MARK: Timing out

  @Test func aBodyThatTakesTooLongIsCancelledAndFails() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.request(\.key, catch: Self.failed) { key in
        do {
          try await clock.sleep(for: .seconds(10))
        } catch {
          log.note("cancelled \(key) at \(clock.now)")
          throw error
        }
        return .set(\.loaded, key)
      }
      .timingOut(after: .seconds(4), clock: clock)
    }
    rehearsal.run()
    rehearsal.advance(by: 3)
    #expect(rehearsal.state.errors == [])
    rehearsal.advance(by: 100)
    #expect(log.entries == ["cancelled 1 at 4.0 seconds"])
    #expect(rehearsal.state.errors == ["the body did not end within 4.0 seconds"])
    #expect(rehearsal.state.loaded == nil)
  }

  @Test func aBodyThatEndsInTimeAnswers() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.request(\.key, catch: Self.failed) { key in
        try await clock.sleep(for: .seconds(3))
        return .set(\.loaded, key)
      }
      .timingOut(after: .seconds(4), clock: clock)
    }
    rehearsal.run()
    rehearsal.advance(by: 100)
    #expect(rehearsal.state.loaded == 1)
    #expect(rehearsal.state.errors == [])
    #expect(rehearsal.clock.sleepers.isEmpty, "nothing of the time-out is left")
  }

  @Test func eachAttemptHasATimeOfItsOwnOrAllTogether() {
    func attempts(timeOutFirst: Bool) -> [Double] {
      let attempts = Journal<Double>()
      let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
        let feedback = Feedback<System>.request(\.key, catch: Self.failed) { _ in
          attempts.note(clock.now.offset / .seconds(1))
          try await clock.sleep(for: .seconds(10))
          return nil
        }
        if timeOutFirst {
          feedback.timingOut(after: .seconds(4), clock: clock)
            .retrying(limit: 3, backoff: .constant(.seconds(1)), clock: clock)
        } else {
          feedback.retrying(limit: 3, backoff: .constant(.seconds(1)), clock: clock)
            .timingOut(after: .seconds(4), clock: clock)
        }
      }
      rehearsal.run()
      rehearsal.advance(by: 100)
      #expect(rehearsal.state.errors == ["the body did not end within 4.0 seconds"])
      return attempts.entries
    }
    #expect(attempts(timeOutFirst: true) == [0, 5, 10])
    #expect(attempts(timeOutFirst: false) == [0])
  }

  @Test func whatARunSentBeforeItTimedOutIsReduced() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.request(\.key, catch: Self.failed) { key, send in
        send(.set(\.loaded, key))
        try await clock.sleep(for: .seconds(10))
      }
      .timingOut(after: .seconds(4), clock: clock)
    }
    rehearsal.run()
    #expect(rehearsal.state.loaded == 1)
    rehearsal.advance(by: 4)
    #expect(rehearsal.state.loaded == 1)
    #expect(rehearsal.state.errors.count == 1)
  }
}
