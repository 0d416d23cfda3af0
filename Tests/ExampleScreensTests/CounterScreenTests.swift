import ExampleScreens
import SwiftUI
import Testing

@MainActor @Suite("The counter's screen", .timeLimit(.minutes(10)))
struct CounterScreenTests {
  @Test func aPersonCounts() async throws {
    let host = Host { CounterScreen() }
    #expect(host.lines == ["1", "Count -/+", "[Subtract]", "[Add]"])
    try host.tap("Add")
    await host.wait(for: "2")
    try host.step("Count", by: 1)
    await host.wait(for: "multiple of 3!!")
    #expect(host.lines.first == "3")
    try host.tap("Subtract")
    #expect(host.lines == ["2", "Count -/+", "[Subtract]", "[Add]"])
  }

  @Test func theCountIsThereWhenThePersonComesBack() async throws {
    let host = Host { CounterScreen() }
    try host.tap("Add")
    try host.tap("Add")
    await host.wait(for: "multiple of 3!!")
    host.cover()
    host.uncover()
    #expect(host.lines.first == "3")
    try host.tap("Add")
    await host.wait { !host.shows("multiple of 3!!") }
    #expect(host.lines.first == "4")
  }
}
