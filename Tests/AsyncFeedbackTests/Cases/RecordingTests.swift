import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("Recording") struct RecordingTests {
  struct Fields: Sendable, Equatable {
    var count = 0
    var text = ""
    var message: String?
    var rows: [Row] = []
  }

  struct Row: Identifiable, Equatable, Sendable { let id: Int }

  enum Event: Sendable, Equatable { case counted, messageChanged(String?), rowsLoaded([Row]) }

  typealias System = ClosureSystem<Fields, Event>

  private static func system(_ list: [Feedback<System>]) -> System {
    System(
      reduce: { state, event in
        switch event {
        case .counted: state.count += 1
        case .messageChanged(let message): state.message = message
        case .rowsLoaded(let rows): state.rows = rows
        }
      }, list: list)
  }

  @MainActor
  @Test("N4: the log holds each transition once, with its event, its origin and both states")
  func n4() async {
    let monitor = JournalMonitor<System>()
    let context = Context(
      state: Fields(),
      system: Self.system([
        Feedback(.onChanged(\.count), name: "message") { state in
          .messageChanged(state.count == 0 ? nil : "\(state.count)")
        },
        Feedback(.onChanged(\.text), name: "load") { state async in
          state.text.isEmpty ? nil : .rowsLoaded([Row(id: state.text.count)])
        },
      ]), monitor: monitor)
    let running = context.start()
    await context.quiet()
    monitor.journal.clear()
    context.send(.counted)
    let line = #line - 1
    context.binding.text.wrappedValue = "abc"
    await context.quiet()

    var log: [(event: Event?, cause: String, old: Fields, new: Fields)] = []
    var open: (number: Int, event: Event?, cause: String)?
    for record in monitor.journal.entries {
      switch record {
      case .event(let event, let number, let cause):
        #expect(open == nil, "a transition belongs to each event")
        let text =
          switch cause {
          case .outside(let file, let line): "\(file):\(line)"
          case .binding: "binding"
          case .feedback(let run): run.feedback.name
          }
        open = (number, event, text)
      case .transition(let number, let old, let new):
        #expect(open?.number == number)
        log.append((open?.event, open?.cause ?? "", old, new))
        open = nil
      default: break
      }
    }
    #expect(log.map(\.event) == [.counted, .messageChanged("1"), nil, .rowsLoaded([Row(id: 3)])])
    #expect(log.map(\.cause) == ["\(#fileID):\(line)", "message", "binding", "load"])
    #expect(zip(log, log.dropFirst()).allSatisfy { $0.new == $1.old })
    #expect(log.first?.old == Fields())
    #expect(log.last?.new == context[\.self])
    running.stop()
  }

  @MainActor @Test("N4: a write that waits for its turn is in the log at its turn")
  func n4Waiting() async {
    let monitor = JournalMonitor<System>()
    let context = Context(state: Fields(), system: Self.system([]), monitor: monitor)
    context.binding.text.wrappedValue = "a"
    context.send(.counted)
    context.binding.text.wrappedValue = "ab"
    #expect(monitor.journal.isEmpty)
    let running = context.start()
    await context.quiet()
    let states = monitor.journal.entries.compactMap { record in
      if case .transition(_, let old, let new) = record { [old.text, new.text] } else { nil }
    }
    #expect(states == [["", "a"], ["a", "a"], ["a", "ab"]])
    running.stop()
  }

  @Test func thePrintMonitorShowsEachTransitionAsADifference() {
    let lines = Journal<String>()
    let system = Self.system([
      Feedback(.onChanged(\.count), name: "message") { state in
        state.count == 0 ? nil : .messageChanged("\(state.count)")
      }
    ])
    let line = #line - 4
    let rehearsal = Rehearsal<Fields, Event>(
      Fields(rows: [Row(id: 1)]), monitor: PrintMonitor { lines.note($0) }, reduce: system.reduce
    ) { _ in
      system.list
    }
    let loop = rehearsal.run()
    let place = "AsyncFeedbackTests/RecordingTests.swift"
    rehearsal.context.send(.counted, fileID: "App/Main.swift", line: 7)
    rehearsal.executor.runUntilIdle()
    rehearsal.context.send(
      .rowsLoaded([Row(id: 1), Row(id: 2)]), fileID: "App/Main.swift", line: 8)
    rehearsal.executor.runUntilIdle()
    rehearsal.stop(loop)
    #expect(
      lines.entries.joined(separator: "\n") == """
        loop started
          started message (\(place):\(line))
          finished message (\(place):\(line))
        #1 .counted from App/Main.swift:7
          count: 0 → 1
          started message (\(place):\(line))
          answered .messageChanged("1"): message (\(place):\(line))
          finished message (\(place):\(line))
        #2 .messageChanged("1") from message (\(place):\(line))
          message: nil → "1"
        #3 .rowsLoaded([Row(id: 1), Row(id: 2)]) from App/Main.swift:8
          rows[1]: inserted Row(id: 2)
        loop stopped
        """)
  }
}
