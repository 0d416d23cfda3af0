import AsyncFeedback
import AsyncFeedbackTestSupport
import ExampleScreens
import PagingSystem
import SwiftUI
import Testing
import TickerSystem
import TodoSystem

@MainActor @Suite("All screens", .timeLimit(.minutes(10)))
struct ExamplesScreenTests {
  // A page that comes late on a busy machine must not be given up.
  private let clock = TestClock()

  private func screen(_ todos: Context<Todos>, notice: String? = nil) -> Host {
    Host { [clock] in
      ExamplesScreen(
        todos: todos, notice: notice,
        paging: { Paging(source: Catalogue(latency: .zero), clock: clock) },
        ticker: { Ticker(source: ScoreBoard(), clock: clock) })
    }
  }

  @Test func aPersonGoesFromScreenToScreen() async throws {
    let host = screen(Context(state: .init(TodoList(["milk"])), system: Todos { _ in }))
    #expect(host.lines.prefix(2) == ["counter", "Example: counter"])
    try host.tap("Add")
    try host.choose("todo", in: "Example")
    #expect(host.shows("[ ] milk"))
    try host.choose("paging", in: "Example")
    await host.wait(for: Catalogue.posts[0].title)
    try host.choose("ticker", in: "Example")
    #expect(host.shows("[Pause]"))
    // Another screen is another identity: the count begins anew.
    try host.choose("counter", in: "Example")
    #expect(host.shows("1"))
  }

  @Test func theListIsThereWhenThePersonComesBackToIt() async throws {
    let saved = Lock(TodoList(["milk"]))
    let todos = Context(
      state: .init(TodoList(["milk"])),
      system: Todos(clock: clock) { list in saved.withLock { $0 = list } })
    let running = todos.start()
    let host = screen(todos, notice: "a new list begins")
    try host.choose("todo", in: "Example")
    #expect(host.lines.last == "a new list begins")
    try host.type("bread", into: "New todo")
    await host.wait(for: "[Add]")
    try host.tap("Add")
    // What is to be added and saved is not given up with the screen.
    try host.choose("counter", in: "Example")
    await todos.quiet()
    let titles = ["milk", "bread"]
    #expect(saved.withLock { $0.todos.map(\.title) } == titles)
    try host.choose("todo", in: "Example")
    #expect(host.shows("[ ] milk"))
    #expect(host.shows("[ ] bread"))
    await todos.quiet()
    #expect(saved.withLock { $0.todos.map(\.title) } == titles)
    withExtendedLifetime(running) {}
  }
}
