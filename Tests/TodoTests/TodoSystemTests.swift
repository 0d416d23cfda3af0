import AsyncFeedbackTestSupport
import Testing

@testable import TodoSystem

@Suite struct TodoSystemTests {
  private let disk = Disk()
  private let clock = TestClock()

  private func makeContext(
    _ titles: String..., held: HeldFeedbacks = .none
  ) -> TestContext<Todos> {
    TestContext(
      state: .init(TodoList(titles)),
      system: Todos(clock: clock) { [disk] in try await disk.save($0) },
      held: held, clock: clock, checksPurity: true
    )
    .transient("adding", endedBy: "add") { $0.submission != nil }
    .transient("unsaved", endedBy: "save") { !$0.isSaved }
  }

  // MARK: Validating

  @Test(arguments: [
    ("", false), (" \t ", false), ("a", true), ("  a  ", true),
    (String(repeating: "👩‍👧", count: 40), true), (String(repeating: "a", count: 41), false),
    (" " + String(repeating: "a", count: 40) + " ", true),
  ])
  func theInputIsValidatedAsItIsTyped(input: String, canAdd: Bool) async {
    let context = makeContext()
    context.run()
    context.eventBinding.input.wrappedValue = "x"
    context.eventBinding.input.wrappedValue = input
    await context
      .receive(.inputValidated(isAcceptable: canAdd)) { $0.canAdd = canAdd }
      .finish()
  }

  // MARK: Adding

  @Test func aTodoIsAddedWithoutTheBlanksAroundIt() async {
    let context = makeContext()
    context.run()
    context.eventBinding.input.wrappedValue = "  Wake up "
    await context
      .receive(.inputValidated(isAcceptable: true)) { $0.canAdd = true }
      .send(.addTapped) { state in
        state.input = ""
        state.submission = "Wake up"
      }
      .receive(.inputValidated(isAcceptable: false)) { $0.canAdd = false }
      .receive(.added(title: "Wake up")) { state in
        state.submission = nil
        state.list = TodoList(["Wake up"])
      }
      .receive(.saved(TodoList(["Wake up"]))) { $0.saved = TodoList(["Wake up"]) }
      .finish()
  }

  @Test func nothingIsAddedWhileTheInputIsNotAcceptable() async {
    await makeContext()
      .run()
      .send(.addTapped) { _ in }
      .finish()
  }

  @Test func theSameTitleMayBeAddedTwice() async {
    let context = makeContext()
    context.run()
    for _ in 1...2 {
      context.eventBinding.input.wrappedValue = "a"
      await context.send(.addTapped)
    }
    await context
      .check { state in #expect(state.list.todos.map(\.id) == [1, 2]) }
      .finish()
  }

  @Test func anIDIsNotUsedAgain() async {
    let context = makeContext("a", "b")
    context.run()
    await context.send(.deleted(2))
    context.eventBinding.input.wrappedValue = "c"
    await context
      .send(.addTapped)
      .check { state in #expect(state.list.todos.map(\.id) == [1, 3]) }
      .finish()
  }

  // MARK: Changing

  @Test func theFilterChoosesWhatIsVisible() async {
    await makeContext("a", "b")
      .run()
      .send(.marked(2, done: true))
      .check { state in #expect(state.visible.map(\.title) == ["a", "b"]) }
      .send(.filterSelected(.open))
      .check { state in #expect(state.visible.map(\.title) == ["a"]) }
      .send(.filterSelected(.done))
      .check { state in #expect(state.visible.map(\.title) == ["b"]) }
      .send(.marked(2, done: false))
      .check { state in #expect(state.visible.isEmpty) }
      .finish()
  }

  @Test func whatIsNotThereIsNotChanged() async {
    await makeContext("a")
      .run()
      .send(.marked(7, done: true)) { _ in }
      .send(.deleted(7)) { _ in }
      .finish()
  }

  // MARK: Saving

  @Test func eachChangeIsSaved() async {
    await makeContext("a", "b")
      .run()
      .send(.deleted(1))
      .check { state in #expect(state.isSaved) }
      .send(.deleted(2))
      .check { state in #expect(state.isSaved) }
      .finish()
    #expect(disk.lists.suffix(2) == [["b"], []])
  }

  @Test func whatIsTypedOrFilteredIsNotSaved() async {
    let context = makeContext("a", held: .named("save"))
    await context.run().end("save").alive()
    context.eventBinding.input.wrappedValue = "b"
    await context.send(.filterSelected(.open)).alive().finish()
  }

  @Test func theNewestListIsWrittenLastAndNeverBesideAnother() async {
    await makeContext("a", "b", "c")
      .run()
      .settle()
      .do { disk.isSlow = true }
      .send(.deleted(1))
      .send(.deleted(2))
      .send(.deleted(3))
      .check { state in #expect(!state.isSaved) }
      // The first write cannot be taken back; the second list is skipped.
      .do { disk.endWrite() }
      .settle()
      .do { disk.endWrite() }
      .check { state in #expect(state.isSaved) }
      .finish()
    #expect(disk.lists.suffix(2) == [["b", "c"], []])
    #expect(disk.mostAtOnce == 1)
  }

  @Test func aChangeThatIsTakenBackIsSavedToo() async {
    await makeContext("a")
      .run()
      .settle()
      .do { disk.isSlow = true }
      .send(.marked(1, done: true))
      .send(.marked(1, done: false))
      .do { disk.endWrite() }
      .settle()
      .do { disk.endWrite() }
      .check { state in #expect(state.isSaved) }
      .finish()
    #expect(disk.attempts == 3)
  }

  @Test func aFailureIsShownAndTriedAgainAfterAWhile() async {
    await makeContext("a")
      .run()
      .settle()
      .do { disk.isFull = true }
      .send(.deleted(1)) { $0.list.delete(1) }
      .receive(.saveFailed("the disk is full")) { $0.error = "the disk is full" }
      .advance(by: .milliseconds(100))
      .receive(.saveFailed("the disk is full")) { _ in }
      .do { disk.isFull = false }
      // An answer that came before its time would be a failure of the second step.
      .advance(by: .milliseconds(199))
      .advance(by: .milliseconds(1))
      .receive({ if case .saved(let list) = $0 { list } else { nil } }) { state, list in
        state.saved = list
        state.error = nil
      }
      .finish()
    #expect(disk.attempts == 4)
    #expect(disk.lists.last == [])
  }

  @Test func itNeverTiresOfTrying() async {
    await makeContext("a")
      .run()
      .settle()
      .do { disk.isFull = true }
      .send(.deleted(1))
      .advance(by: .seconds(24 * 60 * 60))
      .do { disk.isFull = false }
      .advance(by: .seconds(10))
      .check { state in #expect(state.isSaved) }
      .finish()
  }

  @Test func theNextChangeDoesNotWaitForTheNextAttempt() async {
    await makeContext("a", "b")
      .run()
      .settle()
      .do { disk.isFull = true }
      .send(.deleted(1))
      .settle()
      .do { disk.isFull = false }
      .send(.deleted(2))
      .check { state in
        #expect(state.error == nil)
        #expect(state.isSaved)
      }
      .finish()
  }
}
