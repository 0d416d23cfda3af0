import AsyncFeedback
import Testing

@Suite("Law 8: an event may end its own sender", .timeLimit(.minutes(10)))
struct Law08Tests {
  private enum Event: Sendable {
    case opened, closed, noted(String)
  }

  private struct State: Sendable {
    var isOpen = false
    var notes: [String] = []
  }

  private typealias Door = ClosureSystem<State, Event>
  private let returned = Gate()
  private let journal = Journal<String>()

  private func door(_ feedbacks: [Feedback<Door>]) -> Door {
    Door(
      { state, event in
        switch event {
        case .opened: state.isOpen = true
        case .closed: state.isOpen = false
        case .noted(let note): state.notes.append(note)
        }
      }, feedbacks: feedbacks)
  }

  private var closer: Feedback<Door> {
    Feedback(.while(\.isOpen), name: "closer") { _, send in
      await send(.closed).value
      journal.note("received")
      await send(.noted("too late")).value
      await send(.noted("too late")).settled()
      journal.note(Task.isCancelled ? "cancelled" : "not cancelled")
      returned.open()
    }
  }

  @Test(arguments: Venue.allCases)
  func theSendersReceiptReturnsAndItsTransitionCompletes(venue: Venue) async {
    let monitor = WordMonitor()
    let system = door([
      closer,
      Feedback(.onChanged(\.isOpen), policy: .overlapping, name: "next") { state in
        .noted(state.isOpen ? "open" : "closed")
      },
    ])
    let context = Context(
      state: State(), system: system, executor: venue.executor(), monitor: monitor)
    let running = context.start()
    await context.quiet()
    await context.send(.opened).settled()
    await returned.pass()
    await context.quiet()
    #expect(await context.state.notes == ["closed", "open", "closed"])
    #expect(journal.entries == ["received", "cancelled"])
    #expect(monitor.lines("dropped").count == 2)
    running.stop()
    await running.ended()
  }

  @MainActor @Test func allObserversSeeTheTransition() async {
    let context = Context(state: State(), system: door([closer]))
    let running = context.start()
    await context.quiet()
    let first = FieldObserver({ context.isOpen })
    let second = FieldObserver({ context.isOpen })
    var values = context.values(of: \.isOpen).makeAsyncIterator()
    #expect(await values.next() == false)
    await context.send(.opened).settled()
    await returned.pass()
    await context.quiet()
    #expect(first.values == [false, true, false])
    #expect(second.values == [false, true, false])
    #expect(await values.next() == false)
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func aSynchronousAnswerMayLeaveItsOwnLevel(venue: Venue) async {
    let system = door([
      Feedback(.while(\.isOpen)) { _ in .closed },
      Feedback(.onChanged(\.isOpen), policy: .overlapping) { state in
        .noted(state.isOpen ? "open" : "closed")
      },
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    let running = context.start()
    await context.quiet()
    await context.send(.opened).settled()
    let state = await context.state
    #expect(!state.isOpen)
    #expect(state.notes == ["closed", "open", "closed"])
    running.stop()
    await running.ended()
  }

  @Test(arguments: Venue.allCases)
  func aBodyMayStopItsOwnLoop(venue: Venue) async {
    let running = Handover<Running>()
    let system = door([
      Feedback(.while(\.isOpen)) { _, send in
        send(.noted("before"))
        running.value?.stop()
        await send(.noted("after")).value
        returned.open()
      }
    ])
    let context = Context(state: State(), system: system, executor: venue.executor())
    running.value = context.start()
    context.send(.opened)
    await returned.pass()
    #expect(!context.isRunning)
    await running.value?.ended()
    running.value = nil
  }
}
