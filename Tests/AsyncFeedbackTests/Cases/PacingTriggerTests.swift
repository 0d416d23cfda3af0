import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Pacing: triggers that wait") struct PacingTriggerTests {
  struct Fields: Sendable {
    var count = 0
    var key: Int?
    var isOn = false
    var rows: [Row] = []
  }

  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var value = 0
  }

  @Test func aLevelThatIsLeftTakesBackWhatWaits() {
    let log = Journal<Int>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.request(\.key) { key in log.note(key, answering: nil) }
        .debounced(for: .seconds(2), clock: clock)
      Feedback(.while(\.isOn)) { _ async in log.note(-1, answering: nil) }
        .debounced(for: .seconds(2), clock: clock)
    }
    rehearsal.run()
    rehearsal.send(.set(\.key, 1), .set(\.isOn, true))
    rehearsal.advance(by: 1)
    rehearsal.send(.set(\.key, nil), .set(\.isOn, false))
    rehearsal.advance(by: 10)
    #expect(log.entries == [])
    rehearsal.send(.set(\.key, 2))
    rehearsal.advance(by: 1)
    rehearsal.send(.set(\.key, 3))
    rehearsal.advance(by: 1)
    #expect(log.entries == [])
    rehearsal.advance(by: 1)
    #expect(log.entries == [3], "the body gets the key of its time")
  }

  @Test func eachElementHasAPaceOfItsOwn() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.each(\.rows) { row in log.note("\(row.id):\(row.value)", answering: nil) }
        .debounced(for: .seconds(2), clock: clock)
    }
    rehearsal.run()
    rehearsal.set(\.rows, [Row(id: 1), Row(id: 2)])
    rehearsal.advance(by: 1)
    rehearsal.set(\.rows, [Row(id: 1, value: 5), Row(id: 2)])
    rehearsal.advance(by: 1)
    #expect(log.entries == ["2:0"])
    rehearsal.advance(by: 1)
    #expect(log.entries == ["2:0", "1:5"])
    rehearsal.set(\.rows, [Row(id: 1, value: 6), Row(id: 2)])
    rehearsal.set(\.rows, [Row(id: 2)])
    rehearsal.advance(by: 10)
    #expect(log.entries == ["2:0", "1:5"])
  }

  @Test func everyEventThatWaitsIsOvertakenByTheNewest() {
    let log = Journal<Int>()
    let rehearsal = Rehearsal<Int, Int>(0, reduce: { $0 = $1 }) { clock in
      Feedback.on({ $0 }) { number in log.note(number, answering: nil) }
        .throttled(for: .seconds(2), clock: clock)
    }
    rehearsal.run()
    rehearsal.send(1, 2, 3)
    #expect(log.entries == [1])
    rehearsal.advance(by: 2)
    #expect(log.entries == [1, 3])
  }

  @Test func thePolicyBeginsBehindThePace() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.onChanged(\.count), policy: .queued) { state in
        log.note("begin \(state.count)")
        try? await clock.sleep(for: .seconds(5))
        return log.note("end \(state.count)", answering: nil)
      }
      .debounced(for: .seconds(1), clock: clock)
    }
    rehearsal.run()
    rehearsal.advance(by: 1)
    rehearsal.set(\.count, 1)
    rehearsal.set(\.count, 2)
    rehearsal.advance(by: 1)
    #expect(log.entries == ["begin 0"], "one trigger of two went on, and waits in the queue")
    rehearsal.advance(by: 20)
    #expect(log.entries == ["begin 0", "end 0", "begin 2", "end 2"])
  }

  @Test func aStopTakesBackWhatWaitsAndTheNextStartAsksAnew() {
    let log = Journal<Int>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.onChanged(\.count)) { state in log.note(state.count, answering: nil) }
        .debounced(for: .seconds(2), clock: clock)
    }
    let loop = rehearsal.run()
    rehearsal.advance(by: 2)
    #expect(log.entries == [0])
    rehearsal.set(\.count, 1)
    rehearsal.stop(loop)
    rehearsal.advance(by: 10)
    #expect(log.entries == [0])
    rehearsal.run()
    rehearsal.advance(by: 2)
    #expect(log.entries == [0, 1])
  }

  @Test func aStopAfterThePaceLetEverythingThroughRepeatsNothing() {
    let log = Journal<Int>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback(.onChanged(\.count)) { state in log.note(state.count, answering: nil) }
        .debounced(for: .seconds(2), clock: clock)
      Feedback.request(\.key) { key in log.note(key, answering: nil) }
        .throttled(for: .seconds(2), clock: clock)
    }
    let loop = rehearsal.run()
    rehearsal.set(\.key, 7)
    rehearsal.advance(by: 10)
    #expect(log.entries == [7, 0])
    rehearsal.stop(loop)
    rehearsal.run()
    rehearsal.advance(by: 10)
    #expect(log.entries == [7, 0])
  }

  @Test func aLevelThatComesBackWaitsForTheEndOfTheWindow() {
    struct Requests: Sendable { var number: Int? }
    let log = Journal<Int>()
    let rehearsal = Rehearsal<Requests, Change<Requests>>(Requests()) { clock in
      Feedback.request(\.number) { number async in log.note(number, answering: nil) }
        .throttled(for: .seconds(10), clock: clock)
    }
    rehearsal.run()
    for number in 1...5 {
      rehearsal.set(\.number, number)
      rehearsal.set(\.number, nil)
    }
    #expect(log.entries == [1])
    rehearsal.set(\.number, 6)
    rehearsal.advance(by: 10)
    #expect(log.entries == [1, 6])
    rehearsal.set(\.number, 7)
    rehearsal.set(\.number, nil)
    rehearsal.advance(by: 10)
    #expect(log.entries == [1, 6], "what was taken back does not run")
  }

  /// A feedback on `key`, whose runs take three seconds and then note their key as an answer.
  private func slow(
    _ log: Journal<String>, _ clock: TestClock, policy: Policy
  ) -> Feedback<ChangeSystem<Fields>> {
    Feedback.request(\.key, policy: policy) { key in
      log.note("begin \(key)")
      do {
        try await clock.sleep(for: .seconds(3))
      } catch {
        log.note("cancelled \(key)")
      }
      return Change { $0.count = key }
    }
  }

  @Test(
    "Law 6: a request that changes is not heard any more while its next run waits for its pace",
    arguments: [Policy.latest, .latest(.afterCleanup)], [true, false])
  func anOutdatedRequestIsNotHeard(policy: Policy, isDebounced: Bool) {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      isDebounced
        ? slow(log, clock, policy: policy).debounced(for: .seconds(4), clock: clock)
        : slow(log, clock, policy: policy).throttled(for: .seconds(4), clock: clock)
    }
    rehearsal.run()
    rehearsal.set(\.key, 1)
    rehearsal.advance(by: isDebounced ? 4 : 0)
    rehearsal.advance(by: 1)
    #expect(log.entries == ["begin 1"])
    rehearsal.set(\.key, 2)
    #expect(log.entries == ["begin 1", "cancelled 1"])
    rehearsal.advance(by: 3)
    #expect(rehearsal.state.count == 0, "its answer is dropped")
    rehearsal.advance(by: 10)
    #expect(rehearsal.state.count == 2)
    #expect(log.entries == ["begin 1", "cancelled 1", "begin 2"])
  }

  @Test("Law 6: a changed element of which the next run waits for its pace is not heard any more")
  func anOutdatedElementIsNotHeard() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      Feedback.each(\.rows) { row in
        try? await clock.sleep(for: .seconds(3))
        return Change { _ in log.note("\(row.id):\(row.value)") }
      }
      .debounced(for: .seconds(4), clock: clock)
    }
    rehearsal.run()
    rehearsal.set(\.rows, [Row(id: 1), Row(id: 2)])
    rehearsal.advance(by: 5)
    rehearsal.set(\.rows, [Row(id: 1, value: 5), Row(id: 2)])
    rehearsal.advance(by: 3)
    #expect(log.entries == ["2:0"])
    rehearsal.advance(by: 10)
    #expect(log.entries == ["2:0", "1:5"])
  }

  @Test("Law 6: runs of the policies that keep them are heard although the request has changed")
  func anOverlappingRequestIsHeard() {
    let log = Journal<String>()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      slow(log, clock, policy: .overlapping).debounced(for: .seconds(1), clock: clock)
    }
    rehearsal.run()
    rehearsal.set(\.key, 1)
    rehearsal.advance(by: 2)
    rehearsal.set(\.key, 2)
    rehearsal.advance(by: 2)
    #expect(rehearsal.state.count == 1)
    rehearsal.advance(by: 2)
    #expect(rehearsal.state.count == 2)
    #expect(log.entries == ["begin 1", "begin 2"])
  }
}
