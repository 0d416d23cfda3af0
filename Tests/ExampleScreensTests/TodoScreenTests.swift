import AsyncFeedback
import AsyncFeedbackTestSupport
import ExampleScreens
import SwiftUI
import Testing
import TodoSystem

@MainActor @Suite("The todo's screen", .timeLimit(.minutes(10)))
struct TodoScreenTests {
  /// Keeps lists, or fails as often as it is told.
  final class Disk: Sendable {
    struct Full: Error, CustomStringConvertible {
      let number: Int
      var description: String { "disk full \(number)" }
    }

    private let state = Lock((list: TodoList?.none, failures: 0, attempts: 0))

    var list: TodoList? { state.withLock { $0.list } }

    func fail(times: Int) {
      state.withLock { $0.failures = times }
    }

    func save(_ list: TodoList) throws {
      try state.withLock { state in
        state.attempts += 1
        guard state.failures == 0 else {
          state.failures -= 1
          throw Full(number: state.attempts)
        }
        state.list = list
      }
    }
  }

  private let disk = Disk()
  private let clock = TestClock()

  private func screen(_ titles: [String] = [], notice: String? = nil) -> Host {
    let context = Context(
      state: .init(TodoList(titles)), system: Todos(clock: clock) { [disk] in try disk.save($0) })
    return Host { TodoScreen(context, notice: notice) }
  }

  @Test func aPersonAddsWhatIsToBeDone() async throws {
    let host = screen()
    #expect(host.shows("No todos"))
    #expect(throws: NotPossible.self) { try host.tap("Add") }
    try host.type(" milk", into: "New todo")
    await host.wait(for: "[Add]")
    try host.tap("Add")
    await host.wait(for: "[ ] milk")
    #expect(host.lines == ["New todo: _", "[Add] (disabled)", "Show: all", "[ ] milk", "[Delete]"])
  }

  @Test func aPersonMarksDeletesAndSwitchesTheFilter() async throws {
    let host = screen(["milk", "bread", "salt"])
    try host.toggle("bread")
    await host.wait(for: "[x] bread")
    try host.choose("done", in: "Show")
    #expect(host.lines.dropFirst(2) == ["Show: done", "[x] bread", "[Delete]"])
    try host.choose("open", in: "Show")
    #expect(host.lines.dropFirst(3) == ["[ ] milk", "[Delete]", "[ ] salt", "[Delete]"])
    try host.tap("Delete", at: 1)
    try host.choose("all", in: "Show")
    #expect(host.lines.dropFirst(3) == ["[ ] milk", "[Delete]", "[x] bread", "[Delete]"])
    try host.toggle("milk")
    try host.choose("open", in: "Show")
    #expect(host.lines.last == "No todos")
  }

  @Test func theFieldAndTheListAreThereWhenThePersonComesBack() async throws {
    let host = screen(["milk"])
    try host.toggle("milk")
    try host.type("bre", into: "New todo")
    await host.wait(for: "[Add]")
    host.cover()
    host.uncover()
    try host.type("ad", into: "New todo")
    try host.tap("Add")
    await host.wait(for: "[ ] bread")
    #expect(host.shows("[x] milk"))
  }

  @Test func aPersonIsToldThatTheDiskIsFull() async throws {
    disk.fail(times: 2)
    let host = screen(["milk"], notice: "a new list begins")
    await host.wait(for: "disk full 1")
    #expect(host.lines.suffix(2) == ["disk full 1", "a new list begins"])
    #expect(try await clock.wait(limit: patience) { !$0.isEmpty })
    clock.advance(by: .seconds(1))
    await host.wait(for: "disk full 2")
    #expect(try await clock.wait(limit: patience) { !$0.isEmpty })
    clock.advance(by: .seconds(10))
    await host.wait { !host.lines.contains { $0.hasPrefix("disk full") } }
    #expect(disk.list == TodoList(["milk"]))
  }

  @Test func aThousandCharactersTypedAtFullSpeedAreAllThereInTheirOrder() async throws {
    let host = screen()
    await host.wait(for: "[Add] (disabled)")
    let text = String((0..<1_000).map { Character(UnicodeScalar(UInt8(97 + $0 * 7 % 26))) })
    try host.type(text, into: "New todo")
    #expect(host.lines.first == "New todo: \(text)_")
    await host.wait(for: "[Add] (disabled)")
    #expect(host.lines.first == "New todo: \(text)_")
  }

  @Test func aThousandCharactersTypedWhileFeedbacksAnswerAreAllThereInTheirOrder() async throws {
    disk.fail(times: .max)
    let host = screen(["milk"])
    await host.wait(for: "disk full 1")
    let text = String((0..<1_000).map { Character(UnicodeScalar(UInt8(97 + $0 * 7 % 26))) })
    var typed = ""
    var answers = 1
    for character in text {
      try host.type(String(character), into: "New todo")
      typed.append(character)
      // At every tenth character one of the feedbacks answers from elsewhere.
      guard typed.count.isMultiple(of: 10) else { continue }
      #expect(host.lines.first == "New todo: \(typed)_")
      #expect(try await clock.wait(limit: patience) { !$0.isEmpty })
      clock.advance(by: .seconds(10))
      answers += 1
      await host.wait { [answers] in host.lines.contains("disk full \(answers)") }
      #expect(host.lines.first == "New todo: \(typed)_")
    }
    #expect(answers == 101)
  }
}
