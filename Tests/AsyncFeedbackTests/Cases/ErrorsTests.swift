import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Errors") struct ErrorsTests {
  struct Fields: Sendable {
    var count = 0
    var keys: [Int?] = [1, 2, 3]
    var errors: [String] = []
    var got: [String] = []
  }

  typealias System = ChangeSystem<Fields>

  private static let failed: @Sendable (any Error) -> Change<Fields>? = { error in
    Change { $0.errors.append("\(error)") }
  }

  private func failures(_ monitor: JournalMonitor<System>) -> [String] {
    monitor.journal.entries.compactMap { record in
      if case .runFailed(let run, let error) = record { "\(run.feedback): \(error)" } else { nil }
    }
  }

  @Test(
    "J1: a thrown error becomes exactly one event, and the next trigger runs the feedback again")
  func j1Routed() {
    let monitor = JournalMonitor<System>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(), monitor: monitor) { _ in
      Feedback(.onChanged(\.count), catch: Self.failed) { state in throw Failure(code: state.count)
      }
      Feedback(.onChanged(\.count)) { state in
        let count = state.count
        return Change { $0.got.append("sibling \(count)") }
      }
    }
    rehearsal.run()
    rehearsal.set(\.count, 1)
    #expect(rehearsal.state.errors == ["Failure(code: 0)", "Failure(code: 1)"])
    #expect(rehearsal.state.got == ["sibling 0", "sibling 1"])
    #expect(failures(monitor) == [])
    #expect(rehearsal.context.isRunning)
  }

  @Test("J1: an error of a source without a route is reported with its feedback's name and place")
  func j1Source() {
    let monitor = JournalMonitor<System>()
    let line = #line + 2
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(), monitor: monitor) { _ in
      Feedback.stream({ $0.keys[0] }, name: "feed") { key in
        AsyncThrowingStream<Int, any Error> {
          $0.yield(key)
          $0.finish(throwing: Failure(code: key))
        }
      } event: { value in
        Change { $0.got.append("\(value)") }
      }
    }
    rehearsal.run()
    rehearsal.send(Change { $0.keys[0] = 5 })
    #expect(rehearsal.state.got == ["1", "5"])
    let place = "feed (\(#fileID):\(line))"
    #expect(failures(monitor) == ["\(place): Failure(code: 1)", "\(place): Failure(code: 5)"])
    #expect(rehearsal.context.isRunning)
  }

  @Test("J2: whatever a cancelled body throws is silent", arguments: [true, false])
  func j2(_ isCancellationError: Bool) {
    let monitor = JournalMonitor<System>()
    let ended = Journal<Int>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(), monitor: monitor) { clock in
      Feedback.request({ $0.keys[0] }, catch: Self.failed) { key in
        do {
          try await clock.sleep(for: .seconds(10))
        } catch {
          ended.note(key)
          if isCancellationError { throw error } else { throw Failure() }
        }
        return nil
      }
    }
    rehearsal.run()
    rehearsal.send(Change { $0.keys[0] = 2 })
    rehearsal.send(Change { $0.keys[0] = nil })
    #expect(ended.entries == [1, 2])
    #expect(rehearsal.state.errors == [])
    #expect(failures(monitor) == [])
  }

  @Test("J4: of three sources one fails and one completes, and the third goes on")
  func j4() {
    let monitor = JournalMonitor<System>()
    let sources = Journal<AsyncThrowingStream<String, any Error>.Continuation>()
    func source(_ index: Int) -> Feedback<System> {
      Feedback.stream({ $0.keys[index] }, name: "source \(index)") { _ in
        AsyncThrowingStream<String, any Error> { sources.note($0) }
      } event: { value in
        Change { $0.got.append(value) }
      }
    }
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields(), monitor: monitor) { _ in
      source(0)
      source(1)
      source(2)
    }
    rehearsal.run()
    let (first, second, third) = (sources.entries[0], sources.entries[1], sources.entries[2])
    rehearsal.perform {
      first.finish(throwing: Failure())
      second.finish()
    }
    rehearsal.perform { third.yield("third") }
    #expect(rehearsal.state.got == ["third"])
    #expect(failures(monitor).count == 1)
    rehearsal.send(Change { $0.count += 1 })
    #expect(sources.count == 3, "a source that has ended waits for its next trigger")
    rehearsal.send(Change { $0.keys[0] = 10 })
    rehearsal.perform { sources.entries[3].yield("first again") }
    #expect(rehearsal.state.got == ["third", "first again"])
  }
}
