import AsyncFeedback
import Dispatch
import Observation
import Testing

@MainActor @Suite("Law 12: bindings are synchronous")
struct Law12BindingsAreSynchronousTests {
  struct Fields: Sendable, Equatable {
    var text = ""
    var echo = ""
    var name: String?
    var address = Address()
    var rows = [Row(id: 1, title: "one"), Row(id: 2, title: "two")]
  }

  struct Address: Sendable, Equatable { var street = "", number = 1 }
  struct Row: Sendable, Equatable, Identifiable { let id: Int; var title: String }

  @Test func aWriteOnTheIdleLoopIsReadAtOnce() async {
    let context = Context(state: Fields(), system: ChangeSystem {})
    let running = context.start()
    await context.quiet()
    context.binding.text.wrappedValue = "a"
    #expect(context.text == "a")
    #expect(context.binding.text.wrappedValue == "a")
    context.binding.name.wrappedValue = "n"
    context.binding.address.street.wrappedValue = "s"
    context.binding.rows[1].title.wrappedValue = "zwei"
    #expect(context.name == "n")
    #expect(context.address == Address(street: "s", number: 1))
    #expect(context.rows.map(\.title) == ["one", "zwei"])
    running.stop()
  }

  @Test func aWriteFirstDrainsWhatIsQueued() async {
    let context = Context(state: "", system: ChangeSystem<String> {})
    let running = context.start()
    await context.quiet()
    elsewhere { context.send(Change { $0 += "a" }, caller: nil) }
    #expect(context[\.self] == "", "what came from elsewhere has to be queued for this test")
    context.binding.wrappedValue += "b"
    // The binding read "" and wrote "b"; "a" was reduced before the write.
    #expect(context[\.self] == "b")
    elsewhere { context.send(Change { $0 += "c" }, caller: nil) }
    context.send(Change { $0 += "d" })
    #expect(context[\.self] == "bcd")
    running.stop()
  }

  @Test func theQueuedIsSeenByTheWriteOfAnotherField() async {
    let seen = Journal<String>()
    let context = Context(
      state: Fields(),
      system: ChangeSystem<Fields> {
        Feedback(.onChanged(\.text, \.echo)) { state in
          seen.note("\(state.text)/\(state.echo)", answering: nil)
        }
      })
    let running = context.start()
    await context.quiet()
    seen.clear()
    elsewhere { context.send(.set(\.text, "queued"), caller: nil) }
    context.binding.echo.wrappedValue = "written"
    #expect(seen.entries == ["queued/", "queued/written"])
    running.stop()
  }

  @Test func aWriteWhileStoppedWaitsAndIsReadAtOnce() async {
    let context = Context(state: Fields(text: "first"), system: ChangeSystem {})
    context.send(.set(\.echo, "sent before"))
    context.binding.text.wrappedValue = "a"
    context.binding.text.wrappedValue = "ab"
    #expect(context.text == "ab")
    #expect(context.binding.wrappedValue.text == "ab")
    #expect(await context.state.text == "ab")
    #expect(context.echo == "", "an event that waits has not been reduced")
    context.send(Change { $0.echo = "after \($0.text)" })
    let running = context.start()
    await context.quiet()
    #expect(context[\.self] == Fields(text: "ab", echo: "after ab"))
    running.stop()
  }

  @Test func eventsBetweenWaitingWritesKeepTheirPlace() async {
    let context = Context(state: [String](), system: ChangeSystem<[String]> {})
    context.binding.wrappedValue = ["write"]
    context.send(Change { $0.append("event") })
    context.binding.wrappedValue = context.binding.wrappedValue + ["write"]
    #expect(context[\.self] == ["write", "write"])
    let running = context.start()
    await context.quiet()
    #expect(context[\.self] == ["write", "write"], "the last write came after the event")
    running.stop()
  }

  @Test func aWriteDuringATransitionIsQueuedAndReadAtOnce() async {
    let seen = Journal<String>()
    let context = Context(
      state: Fields(),
      system: ChangeSystem<Fields> {
        Feedback(.onChanged(\.text)) { state in seen.note(state.text, answering: nil) }
      })
    let running = context.start()
    await context.quiet()
    seen.clear()
    withObservationTracking {
      _ = context.echo
    } onChange: {
      MainActor.assumeIsolated {
        context.send(.set(\.text, "event"))
        context.binding.text.wrappedValue = "a"
        seen.note("read \(context.text)")
        context.binding.text.wrappedValue = "ab"
        seen.note("read \(context.text)")
      }
    }
    context.send(.set(\.echo, "now"))
    #expect(seen.entries == ["read a", "read ab", "event", "a", "ab"])
    #expect(context.text == "ab")
    running.stop()
  }

  @Test func aWaitingWriteIsSeenOverTheEventsThatComeBeforeItsTurn() async {
    let read = Journal<String>()
    let context = Context(
      state: Fields(),
      system: ChangeSystem<Fields> {
        Feedback(.onChanged(\.echo)) { state in state.echo == "go" ? .set(\.echo, "gone") : nil }
      })
    let running = context.start()
    await context.quiet()
    withObservationTracking {
      _ = context.echo
    } onChange: {
      MainActor.assumeIsolated {
        context.send(.set(\.text, "older"))
        context.binding.text.wrappedValue = "newer"
        withObservationTracking {
          _ = context.echo
        } onChange: {
          // The event with "older" has been reduced, the write's turn is still to come.
          MainActor.assumeIsolated { read.note(context.text) }
        }
      }
    }
    withObservationTracking {
      _ = context.text
    } onChange: {
      MainActor.assumeIsolated { read.note(context.text) }
    }
    context.send(.set(\.echo, "go"))
    #expect(!read.entries.contains("older"))
    #expect(read.entries.first == "newer")
    #expect(context.text == "newer")
    running.stop()
  }

  @Test func theEventsBeforeAWaitingWriteAreSeenAsTheyAreReduced() async {
    let context = Context(state: Fields(), system: ChangeSystem<Fields> {})
    let first = context.send(.set(\.echo, "first"))
    // More than one turn handles.
    for _ in 0..<3_000 { context.send(Change { $0.address.number += 1 }) }
    context.binding.text.wrappedValue = "w"
    let running = context.start()
    await first.value
    let state = await context.state
    #expect(state.echo == "first")
    #expect(state.text == "w")
    await context.quiet()
    #expect(context.address.number == 3_001)
    running.stop()
  }

  @Test("Law 2: a write that waits is applied twice, for the readers and in its turn")
  func law2() async {
    struct Counting: Sendable {
      var count = 0
      var applied = Journal<Int>()
      var setting: Int {
        get { count }
        set {
          count = newValue
          applied.note(newValue)
        }
      }
    }
    let context = Context(state: Counting(), system: ChangeSystem<Counting> {})
    let told = Journal<Int>()
    withObservationTracking {
      _ = context.count
    } onChange: {
      MainActor.assumeIsolated { told.note(context.count) }
    }
    for number in 1...100 { context.binding.setting.wrappedValue = number }
    let running = context.start()
    await context.quiet()
    let applied = context[\.applied].entries
    #expect(applied == Array(1...100) + Array(1...100))
    #expect(told.entries == [1])
    running.stop()
  }

  @Test func aWriteOfATurnInWhichTheLoopStopsIsToldAtItsEnd() async {
    let context = Context(state: Fields(), system: ChangeSystem<Fields> {})
    let running = context.start()
    await context.quiet()
    let told = Journal<String>()
    withObservationTracking {
      _ = context.text
    } onChange: {
      MainActor.assumeIsolated { told.note(context.text) }
    }
    withObservationTracking {
      _ = context.echo
    } onChange: {
      MainActor.assumeIsolated {
        context.binding.text.wrappedValue = "late"
        running.stop()
        #expect(told.entries == [], "those who are being told come first")
      }
    }
    context.send(.set(\.echo, "go"))
    #expect(told.entries == ["late"])
    await running.ended()
    #expect(context.text == "late")
  }

  @Test func aWriteCallsNoReducerAndTriggersFeedbacks() async {
    let reduced = Journal<String>()
    let monitor = JournalMonitor<ClosureSystem<Fields, String>>()
    let context = Context(
      state: Fields(),
      system: ClosureSystem<Fields, String>(
        reduce: { state, event in
          reduced.note(event)
          state.echo = event
        },
        list: [
          Feedback(.onChanged(\.text)) { state in state.text.isEmpty ? nil : "saw \(state.text)" },
          Feedback(.onChanged(\.name)) { state in state.name.map { "name \($0)" } },
        ]),
      monitor: monitor)
    let running = context.start()
    await context.quiet()
    monitor.journal.clear()
    context.binding.text.wrappedValue = "hello"
    #expect(reduced.entries == ["saw hello"])
    #expect(context.echo == "saw hello")
    let causes = monitor.journal.entries.compactMap { record in
      if case .event(let event, _, let cause) = record { (event, cause) } else { nil }
    }
    #expect(causes.count == 2)
    #expect(causes.first?.0 == nil)
    #expect(causes.first?.1 == .binding)
    running.stop()
  }

  @Test func aBindingKeepsNoContextAlive() {
    weak var weakContext: Context<ChangeSystem<Fields>>?
    let binding: ContextBinding<String>
    let sending: ContextBinding<String>
    do {
      let context = Context(state: Fields(), system: ChangeSystem<Fields> {})
      weakContext = context
      binding = context.binding.text
      sending = context.binding(\.text) { text in .set(\.text, text) }
    }
    #expect(weakContext == nil)
    binding.wrappedValue = "late"
    sending.wrappedValue = "later"
    #expect(binding.wrappedValue == "late")
  }
}

/// Runs code on a queue that is not the main one, and waits for it.
func elsewhere(_ work: @Sendable () -> Void) {
  DispatchQueue.global().sync(execute: work)
}
