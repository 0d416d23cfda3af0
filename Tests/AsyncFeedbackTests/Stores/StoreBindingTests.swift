import AsyncFeedback
import AsyncFeedbackTestSupport
import Testing

@Suite("StreamValue: bindings", .timeLimit(.minutes(10)))
@MainActor struct StoreBindingTests {
  struct Studio: Sendable, Equatable {
    let name: String
    var selection: Plan?
  }

  struct Plan: Sendable, Equatable {
    var title: String
  }

  private let feed = TestFeed<Studio>(limit: patience)

  private func stage() async -> (store: StreamValue<Studio>, task: Task<Void, Never>) {
    let store = StreamValue { [feed] in feed.make() }
    let task = await run(store)
    return (store, task)
  }

  @Test func anOptionalPartIsReadAndPatched() async {
    let (store, task) = await stage()
    let binding = store.binding(\.selection)
    binding.wrappedValue = Plan(title: "lost")
    #expect(binding.wrappedValue == nil)
    let source = await feed.run(0)
    await source.send(Studio(name: "a", selection: nil))
    binding.wrappedValue = Plan(title: "b")
    #expect(store.state.data == Studio(name: "a", selection: Plan(title: "b")))
    #expect(binding.wrappedValue == Plan(title: "b"))
    binding.wrappedValue = nil
    #expect(store.state.data?.selection == nil)
    binding.wrappedValue = Plan(title: "c")
    await source.send(Studio(name: "a", selection: Plan(title: "echo")))
    #expect(binding.wrappedValue == Plan(title: "echo"))
    source.fail(with: Failure())
    await task.value
    #expect(binding.wrappedValue == nil)
  }

  @Test func aPartThatIsOnlyReadTakesNoWrite() async {
    let (store, task) = await stage()
    let binding = store.binding(\.name)
    #expect(binding.wrappedValue == nil)
    await feed.run(0).send(Studio(name: "a"))
    #expect(binding.wrappedValue == "a")
    binding.wrappedValue = "b"
    #expect(binding.wrappedValue == "a")
    task.cancel()
    await task.value
  }

  @Test func aReadIsTracked() async {
    let (store, task) = await stage()
    let observer = FieldObserver { store.binding(\.selection).wrappedValue?.title }
    await feed.run(0).send(Studio(name: "a", selection: Plan(title: "x")))
    store.binding(\.selection).wrappedValue = Plan(title: "y")
    #expect(observer.values == [nil, "x", "y"])
    task.cancel()
    await task.value
  }

  @Test func aBindingDoesNotKeepItsStore() {
    var store: StreamValue<Studio>? = StreamValue { [feed] in feed.make() }
    let reference = store.map(WeakReference.init)
    let bindings = (store?.binding(\.selection), store?.binding(\.name))
    store = nil
    #expect(reference?.object == nil)
    bindings.0?.wrappedValue = Plan(title: "lost")
    #expect(bindings.0?.wrappedValue == nil)
    #expect(bindings.1?.wrappedValue == nil)
  }
}
