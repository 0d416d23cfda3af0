import AsyncFeedbackTestSupport
import Testing
import TodoSystem

@Suite struct TodoSystemTests {
  private let disk = Disk()
  private let clock = TestClock()

  private func makeContext(_ titles: String...) -> TestContext<Todos> {
    TestContext(
      state: .init(TodoList(titles)),
      system: Todos(clock: clock) { [disk] in try await disk.save($0) },
      clock: clock)
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
      .check { state in #expect(state.canAdd == canAdd) }
      .finish()
  }

  // MARK: Adding

  @Test func aTodoIsAddedWithoutTheBlanksAroundIt() async {
    let context = makeContext()
    context.run()
    context.eventBinding.input.wrappedValue = "  Wake up "
    await context
      .send(.addTapped)
      .check { state in
        #expect(state.list.todos.map(\.title) == ["Wake up"])
        #expect(state.input == "")
        #expect(!state.canAdd)
      }
      .finish()
  }

  @Test func nothingIsAddedWhileTheInputIsNotAcceptable() async {
    let context = makeContext()
    await context
      .run()
      .send(.addTapped)
      .check { state in #expect(state.list.todos.isEmpty) }
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
    let context = makeContext("a", "b")
    await context
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
    let context = makeContext("a")
    await context
      .run()
      .send(.marked(7, done: true))
      .send(.deleted(7))
      .check { state in #expect(state.list == .init(["a"])) }
      .finish()
  }

  // MARK: Saving

  @Test func eachChangeIsSaved() async {
    let context = makeContext("a", "b")
    await context
      .run()
      .send(.deleted(1))
      .check { state in #expect(state.isSaved) }
      .send(.deleted(2))
      .check { state in #expect(state.isSaved) }
      .finish()
    #expect(disk.lists.suffix(2) == [["b"], []])
  }

  @Test func whatIsTypedOrFilteredIsNotSaved() async {
    let context = makeContext("a")
    await context.run().settle()
    let attempts = disk.attempts
    context.eventBinding.input.wrappedValue = "b"
    await context.send(.filterSelected(.open)).settle()
    #expect(disk.attempts == attempts)
    context.finish()
  }

  @Test func theNewestListIsWrittenLastAndNeverBesideAnother() async {
    let context = makeContext("a", "b", "c")
    await context.run().settle()
    disk.isSlow = true
    await context
      .send(.deleted(1))
      .send(.deleted(2))
      .send(.deleted(3))
      .check { state in #expect(!state.isSaved) }
    // The first write cannot be taken back; the second list is skipped.
    disk.endWrite()
    await context.settle()
    disk.endWrite()
    await context
      .check { state in #expect(state.isSaved) }
      .finish()
    #expect(disk.lists.suffix(2) == [["b", "c"], []])
    #expect(disk.mostAtOnce == 1)
  }

  @Test func aChangeThatIsTakenBackIsSavedToo() async {
    let context = makeContext("a")
    await context.run().settle()
    disk.isSlow = true
    await context
      .send(.marked(1, done: true))
      .send(.marked(1, done: false))
    disk.endWrite()
    await context.settle()
    disk.endWrite()
    await context
      .check { state in #expect(state.isSaved) }
      .finish()
    #expect(disk.attempts == 3)
  }

  @Test func aFailureIsShownAndTriedAgainAfterAWhile() async {
    let context = makeContext("a")
    await context.run().settle()
    disk.isFull = true
    await context
      .send(.deleted(1))
      .check { state in
        #expect(state.error == "the disk is full")
        #expect(!state.isSaved)
        #expect(state.list.todos.isEmpty)
      }
      .advance(by: .milliseconds(100))
      .check { state in #expect(state.error == "the disk is full") }
    #expect(disk.attempts == 3)
    disk.isFull = false
    await context
      .advance(by: .milliseconds(199))
      .check { state in #expect(!state.isSaved) }
      .advance(by: .milliseconds(1))
      .check { state in
        #expect(state.error == nil)
        #expect(state.isSaved)
      }
      .finish()
    #expect(disk.lists.last == [])
  }

  @Test func itNeverTiresOfTrying() async {
    let context = makeContext("a")
    await context.run().settle()
    disk.isFull = true
    await context
      .send(.deleted(1))
      .advance(by: .seconds(24 * 60 * 60))
    disk.isFull = false
    await context
      .advance(by: .seconds(10))
      .check { state in #expect(state.isSaved) }
      .finish()
  }

  @Test func theNextChangeDoesNotWaitForTheNextAttempt() async {
    let context = makeContext("a", "b")
    await context.run().settle()
    disk.isFull = true
    await context.send(.deleted(1)).settle()
    disk.isFull = false
    await context
      .send(.deleted(2))
      .check { state in
        #expect(state.error == nil)
        #expect(state.isSaved)
      }
      .finish()
  }
}
