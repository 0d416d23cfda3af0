import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Feedbacks of sequences: their ends", .timeLimit(.minutes(10)))
struct SequenceEndTests {
  struct Fields: Sendable {
    var room: Int? = 1
    var log: [String] = []
  }

  typealias Stage = Rehearsal<Fields, Change<Fields>>

  private let feed = TestFeed<Int>(limit: patience)

  private func stage(_ wrap: (Feedback<Stage.System>, TestClock) -> Feedback<Stage.System>) -> Stage
  {
    Stage(Fields()) { clock in
      wrap(
        Feedback.stream(\.room) { [feed] _ in
          feed.make()
        } catch: { error in
          Change { $0.log.append("\(error)") }
        } end: {
          Change { $0.log.append("end") }
        } event: { number in
          Change { $0.log.append("\(number)") }
        }, clock)
    }
  }

  @Test func theEndOfASequenceIsTheLastEvent() {
    let stage = stage { feedback, _ in feedback }
    stage.run()
    stage.perform { [feed] in
      feed.latest.yield(1)
      feed.latest.yield(2)
      feed.latest.finish()
    }
    #expect(stage.state.log == ["1", "2", "end"])
  }

  @Test func anErrorOrACancellationIsNoEnd() {
    let stage = stage { feedback, _ in feedback }
    stage.run()
    stage.perform { [feed] in feed.latest.fail(with: Failure()) }
    #expect(stage.state.log == ["Failure(code: 0)"])
    stage.set(\.room, 2)
    stage.set(\.room, nil)
    #expect(stage.state.log == ["Failure(code: 0)"])
    #expect(feed.runs.map(\.ending) == [.failed, .cancelled])
  }

  @Test func theEndComesAfterTheLastElementThatAPaceHeldUp() {
    let stage = stage { feedback, clock in feedback.debounced(for: .seconds(1), clock: clock) }
    stage.run()
    stage.perform { [feed] in
      feed.latest.yield(1)
      feed.latest.yield(2)
      feed.latest.finish()
    }
    #expect(stage.state.log == ["2", "end"])
  }
}
