import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Law 19: what a timer starts sees the loop") struct Law19TimersTests {
  /// A rehearsal whose loop has values of its own, and what its bodies see.
  private func labels(
    _ feedbacks: (TestClock, Journal<String>) -> [Feedback<ChangeSystem<Int>>],
    _ steps: (Rehearsal<Int, Change<Int>>) -> Void
  ) -> [String] {
    let seen = Journal<String>()
    let rehearsal = Rehearsal<Int, Change<Int>>(0) { clock in feedbacks(clock, seen) }
    _ = Surroundings.$label.withValue("loop") { rehearsal.run() }
    Surroundings.$label.withValue("sender") { steps(rehearsal) }
    return seen.entries
  }

  /// Sends from a task on the context's executor, where events are reduced in place.
  private func sendInPlace(_ rehearsal: Rehearsal<Int, Change<Int>>) {
    let context = rehearsal.context
    rehearsal.perform {
      Surroundings.$label.withValue("in place") {
        _ = context.send(Change { $0 += 1 })
      }
    }
  }

  @Test func aBodyBehindADebounce() {
    let seen = labels { clock, seen in
      [
        Feedback(.onChanged(\.self)) { _ in seen.note(Surroundings.label, answering: nil) }
          .debounced(for: .seconds(1), clock: clock),
        Feedback(.onChanged(\.self)) { _ async in seen.note(Surroundings.label, answering: nil) }
          .debounced(for: .seconds(1), clock: clock),
      ]
    } _: { rehearsal in
      rehearsal.advance(by: 1)
      sendInPlace(rehearsal)
      rehearsal.advance(by: 1)
      rehearsal.send(Change { $0 += 1 })
      rehearsal.advance(by: 1)
    }
    #expect(seen == Array(repeating: "loop", count: 6))
  }

  @Test func aBodyBehindAThrottle() {
    let seen = labels { clock, seen in
      [
        Feedback(.onChanged(\.self)) { _ in seen.note(Surroundings.label, answering: nil) }
          .throttled(for: .seconds(2), clock: clock),
        Feedback(.onChanged(\.self)) { _ async in seen.note(Surroundings.label, answering: nil) }
          .throttled(for: .seconds(2), clock: clock),
      ]
    } _: { rehearsal in
      sendInPlace(rehearsal)
      rehearsal.advance(by: 1)
      sendInPlace(rehearsal)
      rehearsal.advance(by: 1)
      rehearsal.advance(by: 10)
      sendInPlace(rehearsal)
    }
    #expect(seen == Array(repeating: "loop", count: 6))
  }

  @Test func aTickAndARetry() {
    let seen = labels { clock, seen in
      [
        Feedback.every(.seconds(1), clock: clock) { seen.note(Surroundings.label, answering: nil) },
        Feedback(.onChanged(\.self), catch: { _ in seen.note(Surroundings.label, answering: nil) })
        {
          _ in
          seen.note(Surroundings.label)
          throw Failure()
        }
        .retrying(limit: 2, backoff: .constant(.seconds(1)), clock: clock)
        .timingOut(after: .seconds(5), clock: clock),
      ]
    } _: { rehearsal in
      rehearsal.advance(by: 1)
      sendInPlace(rehearsal)
      rehearsal.advance(by: 1)
    }
    #expect(seen.count == 8)
    #expect(Set(seen) == ["loop"])
  }

  @Test func aStreamAndItsEvents() {
    let seen = labels { clock, seen in
      [
        Feedback.stream({ $0 > 0 ? $0 : nil }) { _ in
          seen.note(Surroundings.label)
          return AsyncStream<Int> {
            $0.yield(1)
            $0.finish()
          }
        } event: { _ in
          seen.note(Surroundings.label, answering: nil)
        }
      ]
    } _: { rehearsal in
      sendInPlace(rehearsal)
    }
    #expect(seen == ["loop", "loop"])
  }
}
