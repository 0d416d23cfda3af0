import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Law 15: errors are never swallowed") struct Law15ErrorsAreNeverSwallowedTests {
  struct Fields: Sendable {
    var count = 0
    var request: Int?
    var rows: [Row] = []
    var isOn = false
    var errors: [String] = []
  }

  struct Row: Identifiable, Equatable, Sendable { let id: Int }

  typealias System = ChangeSystem<Fields>

  private static func failed(_ word: String) -> @Sendable (any Error) -> Change<Fields>? {
    { error in Change { $0.errors.append("\(word): \(error)") } }
  }

  @Test func everyKindOfFeedbackRoutesItsError() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(request: 1, rows: [Row(id: 2)])) { _ in
      Feedback(.once, catch: Self.failed("once")) { _ in throw Failure() }
      Feedback(.onChanged(\.count), catch: Self.failed("onChanged")) { _, _ in throw Failure() }
      Feedback.request(\.request, catch: Self.failed("request")) { throw Failure(code: $0) }
      Feedback.each(\.rows, catch: Self.failed("each")) { throw Failure(code: $0.id) }
      Feedback.stream {
        AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Failure(code: 3)) }
      } catch: {
        Self.failed("stream")($0)
      } event: { _ in
        nil
      }
    }
    rehearsal.run()
    #expect(
      rehearsal.state.errors.sorted() == [
        "each: Failure(code: 2)", "onChanged: Failure(code: 0)", "once: Failure(code: 0)",
        "request: Failure(code: 1)", "stream: Failure(code: 3)",
      ])
  }

  @Test func anErrorThatBecomesNoEventIsReportedWithNameAndPlace() {
    let monitor = JournalMonitor<System>()
    let line = #line + 2
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(), monitor: monitor) { _ in
      Feedback(.onChanged(\.count), name: "load", catch: { _ in nil }) { _ in throw Failure() }
      Feedback.stream(name: "feed") {
        AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Failure(code: 1)) }
      } event: { _ in
        nil
      }
    }
    rehearsal.run()
    let failures = monitor.journal.entries.compactMap { record in
      if case .runFailed(let run, let error) = record { (run.feedback, error) } else { nil }
    }
    #expect(failures.map(\.0.name) == ["load", "feed"])
    #expect(failures.first?.0.line == line)
    #expect(failures.first?.0.fileID == #fileID)
    #expect(failures.map { $0.1 as? Failure } == [Failure(code: 0), Failure(code: 1)])
  }

  @Test func anErrorEndsNeitherTheLoopNorASibling() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.onChanged(\.count), name: "fails", catch: { _ in nil }) { state in
        log.note("failing \(state.count)")
        throw Failure()
      }
      Feedback(.onChanged(\.count), policy: .overlapping) { state in
        try? await clock.sleep(for: .seconds(1))
        return log.note("sibling \(state.count)", answering: nil)
      }
    }
    rehearsal.run()
    rehearsal.set(\.count, 1)
    rehearsal.advance(by: 1)
    #expect(log.entries == ["failing 0", "failing 1", "sibling 0", "sibling 1"])
    #expect(rehearsal.context.isRunning)
  }

  enum Ending: CaseIterable { case replaced, left, stopped }

  @Test(arguments: Ending.allCases)
  func theErrorOfACancelledBodyIsSilentWhateverItsType(_ ending: Ending) async {
    let monitor = JournalMonitor<System>()
    let thrown = Journal<String>()
    let caught = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(
      Fields(request: 0, isOn: true), monitor: monitor
    ) { clock in
      Feedback.request(
        \.request, name: "own error", catch: { caught.note("\($0)", answering: nil) }
      ) { number in
        do {
          try await clock.sleep(for: .seconds(10))
        } catch {
          thrown.note("own \(number)")
          throw Failure()
        }
        return nil
      }
      Feedback(
        .while(\.isOn), name: "cancellation", catch: { caught.note("\($0)", answering: nil) }
      ) { _ in
        do {
          try await clock.sleep(for: .seconds(10))
        } catch {
          thrown.note("cancellation")
          throw error
        }
        return nil
      }
    }
    let loop = rehearsal.run()
    switch ending {
    case .replaced:
      rehearsal.set(\.request, 1)
      #expect(thrown.entries == ["own 0"])
    case .left:
      rehearsal.send(.set(\.request, nil), .set(\.isOn, false))
      #expect(thrown.entries.sorted() == ["cancellation", "own 0"])
    case .stopped:
      rehearsal.stop(loop)
      await loop.value
      #expect(thrown.entries.sorted() == ["cancellation", "own 0"])
    }
    #expect(caught.entries == [])
    let failures = monitor.journal.entries.filter { record in
      if case .runFailed = record { true } else { false }
    }
    #expect(failures.isEmpty)
  }

  @Test func aCancellationErrorNobodyAskedForIsAnError() {
    let monitor = JournalMonitor<System>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(), monitor: monitor) { _ in
      Feedback(.once, catch: Self.failed("once")) { _ in throw CancellationError() }
      Feedback(.once, name: "unrouted", catch: { _ in nil }) { _ in throw CancellationError() }
      Feedback.stream(name: "stream") {
        AsyncThrowingStream<Int, any Error> { $0.finish(throwing: CancellationError()) }
      } event: { _ in
        nil
      }
    }
    rehearsal.run()
    #expect(rehearsal.state.errors == ["once: CancellationError()"])
    let failures = monitor.journal.entries.compactMap { record in
      if case .runFailed(let run, _) = record { run.feedback.name } else { nil }
    }
    #expect(failures == ["unrouted", "stream"])
  }

  @Test func aBodyThatThrowsAfterItSentHasSentItAllTheSame() {
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { _ in
      Feedback(.once, catch: Self.failed("once")) { _, send in
        send(.set(\.count, 7))
        throw Failure()
      }
    }
    rehearsal.run()
    #expect(rehearsal.state.count == 7)
    #expect(rehearsal.state.errors == ["once: Failure(code: 0)"])
  }
}
