import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Pacing: throttle and debounce") struct PacingThrottleTests {
  struct Fields: Sendable {
    var source = 0
    var seen: [String] = []
  }

  typealias System = ChangeSystem<Fields>

  enum Form: CaseIterable, Sendable { case stream, synchronousTrigger, asynchronousTrigger, event }

  /// What goes through a pace, as `value@time`, and how to give it values.
  private struct Line: Sendable {
    let rehearsal: Rehearsal<Fields, Change<Fields>>
    let source: AsyncThrowingStream<Int, any Error>.Continuation
    let form: Form
    let log: Journal<String>

    func give(_ value: Int) {
      switch form {
      case .stream: rehearsal.perform { source.yield(value) }
      default: rehearsal.set(\.source, value)
      }
    }

    /// Gives values at their ticks, and lets time go on to the end.
    func give(_ values: [Int], until end: Int) {
      for tick in 0...end {
        if values.contains(tick) { give(100 + tick) }
        if tick < end { rehearsal.advance(by: 1) }
      }
    }
  }

  private func line(
    _ form: Form, _ pace: @escaping (Feedback<System>, TestClock) -> Feedback<System>
  ) -> Line {
    let log = Journal<String>()
    let (stream, source) = AsyncThrowingStream<Int, any Error>.makeStream()
    let rehearsal = Rehearsal<Fields, Change<Fields>>(Fields()) { clock in
      let note: @Sendable (Int) -> Void = {
        log.note("\($0)@\(clock.now.offset.components.seconds)")
      }
      let feedback: Feedback<System> =
        switch form {
        case .stream:
          Feedback.stream {
            stream
          } catch: { error in
            Change { _ in log.note("\(error)@\(clock.now.offset.components.seconds)") }
          } event: { value in
            Change { _ in note(value) }
          }
        case .synchronousTrigger:
          Feedback(.onChanged(\.source)) { state in
            if state.source > 0 { note(state.source) }
            return nil
          }
        case .asynchronousTrigger:
          Feedback(.onChanged(\.source)) { state async in
            if state.source > 0 { note(state.source) }
            return nil
          }
        case .event:
          Feedback.on({ _ in 1 }) { _ in nil }
        }
      pace(feedback, clock)
    }
    rehearsal.run()
    // The first pass fired as well; its window is over.
    rehearsal.advance(by: 1_000)
    log.clear()
    return Line(rehearsal: rehearsal, source: source, form: form, log: log)
  }

  static let forms = [Form.stream, .synchronousTrigger, .asynchronousTrigger]

  private func times(_ log: Journal<String>) -> [String] {
    log.entries.map { entry in
      let parts = entry.split(separator: "@")
      return
        "\(Int(parts[0]).map { "\($0 - 100)" } ?? String(parts[0]))@\((Int(parts[1]) ?? 0) - 1_000)"
    }
  }

  @Test("E1: a throttle does not sit on the last value", arguments: forms)
  func e1(_ form: Form) {
    let line = line(form) { $0.throttled(for: .seconds(10), clock: $1) }
    line.give([0, 1, 2], until: 40)
    #expect(times(line.log) == ["0@0", "2@10"])
  }

  @Test("E1: a throttled sequence that ends loses nothing")
  func e1AtTheEnd() {
    let line = line(.stream) { $0.throttled(for: .seconds(10), clock: $1) }
    line.give([0, 1, 2], until: 3)
    line.rehearsal.perform { line.source.finish() }
    #expect(times(line.log) == ["0@0", "2@3"])
    line.rehearsal.advance(by: 100)
    #expect(line.log.count == 2)
  }

  @Test(
    "E2: a throttle lets the first value through at once, then one per window", arguments: forms)
  func e2(_ form: Form) {
    let line = line(form) { $0.throttled(for: .seconds(3), clock: $1) }
    line.give(Array(0...9), until: 30)
    let entries = times(line.log)
    #expect(entries.first == "0@0")
    // The value of the instant in which a window ends may be in that window or in the next.
    #expect(entries.map { $0.split(separator: "@")[1] } == ["0", "3", "6", "9", "12"])
    #expect(entries.last == "9@12", "the last value is not lost")
  }

  /// Gives values at their ticks by a task that sleeps from one to the next.
  private func giveByTimer(_ ticks: [Int], endingAt end: Int? = nil, to line: Line) {
    let clock = line.rehearsal.clock
    let start = clock.now
    line.rehearsal.perform {
      for tick in ticks {
        try? await clock.sleep(until: start.advanced(by: .seconds(tick)))
        if line.form == .stream {
          line.source.yield(100 + tick)
        } else {
          line.rehearsal.context.send(.set(\.source, 100 + tick))
        }
      }
      if end != nil { line.source.finish() }
    }
    line.rehearsal.advance(by: 100)
  }

  static let ticks = [0, 1, 4, 5, 7, 9, 13, 14]

  @Test("E4: a debounce lets the last value of each burst through, and the last with the end")
  func e4() {
    let line = line(.stream) { $0.debounced(for: .seconds(3), clock: $1) }
    giveByTimer(Self.ticks, endingAt: 14, to: line)
    #expect(times(line.log) == ["9@12", "14@14"])
  }

  @Test("E4: without an end the last value comes after its quiet period", arguments: forms)
  func e4OpenEnded(_ form: Form) {
    let line = line(form) { $0.debounced(for: .seconds(3), clock: $1) }
    // The value of tick 4 comes in the instant in which that of tick 1 is due, and replaces it.
    giveByTimer(Self.ticks, to: line)
    #expect(times(line.log) == ["9@12", "14@17"])
  }

  enum Instant: CaseIterable, Sendable { case whileWaiting, inTheDeadline, afterwards }

  @Test("E5: an error comes after the value that was waiting", arguments: Instant.allCases)
  func e5(_ instant: Instant) {
    let line = line(.stream) { $0.debounced(for: .seconds(3), clock: $1) }
    line.give(100 + 0)
    switch instant {
    case .whileWaiting:
      line.rehearsal.advance(by: 1)
      line.rehearsal.perform { line.source.finish(throwing: Failure()) }
      #expect(times(line.log) == ["0@1", "Failure(code: 0)@1"])
    case .inTheDeadline:
      let clock = line.rehearsal.clock
      line.rehearsal.perform {
        try? await clock.sleep(for: .seconds(3))
        line.source.finish(throwing: Failure())
      }
      line.rehearsal.advance(by: 3)
      #expect(times(line.log) == ["0@3", "Failure(code: 0)@3"])
    case .afterwards:
      line.rehearsal.advance(by: 5)
      line.rehearsal.perform { line.source.finish(throwing: Failure()) }
      #expect(times(line.log) == ["0@3", "Failure(code: 0)@5"])
    }
  }

  @Test("E5: an error while the context is busy comes after the value that was waiting")
  func e5Busy() {
    let line = line(.stream) { $0.debounced(for: .seconds(3), clock: $1) }
    line.give(100 + 0)
    let (context, source) = (line.rehearsal.context, line.source)
    line.rehearsal.perform {
      // The source fails in the middle of a transition, with more events queued behind it.
      context.send(Change { _ in source.finish(throwing: Failure()) })
      context.send(Change { $0.source += 1 })
    }
    #expect(times(line.log) == ["0@0", "Failure(code: 0)@0"])
  }
}
