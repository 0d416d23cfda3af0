import AsyncFeedbackTestSupport
import ExampleScreens
import PagingSystem
import SwiftUI
import Testing
import TickerSystem
import TodoSystem

@MainActor @Suite("All screens", .timeLimit(.minutes(10)))
struct ExamplesScreenTests {
  @Test func aPersonGoesFromScreenToScreen() async throws {
    // A page that comes late on a busy machine must not be given up.
    let clock = TestClock()
    let host = Host {
      ExamplesScreen(
        list: TodoList(["milk"]), todos: { Todos(clock: clock) { _ in } },
        paging: { Paging(source: Catalogue(latency: .zero), clock: clock) },
        ticker: { Ticker(source: ScoreBoard(), clock: clock) })
    }
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
}
