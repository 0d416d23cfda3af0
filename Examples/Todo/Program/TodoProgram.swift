import AsyncFeedback
import ExampleTerminal
import TodoSystem

@main
@MainActor
final class TodoProgram: Program {
  static let name = "todo"
  static let usage = "todo [--file PATH]"
  static let accepted = "type TEXT, add, done N, undone N, delete N, filter all|open|done"

  let context: Context<Todos>
  private var view = TodoView()

  static func main() async {
    await Terminal.run(TodoProgram.self, options: ["--file"])
  }

  init(_ arguments: Arguments) throws(Refusal) {
    let path = try arguments.value(of: "--file", default: "todos.json", "a path") { !$0.isEmpty }
    let file = TodoFile(path: path)
    if let notice = file.notice { Terminal.complain("todo: \(notice)") }
    context = Context(
      state: .init(file.initial), system: Todos { list in try await file.save(list) })
  }

  func perform(_ command: Command) throws(Refusal) {
    switch command.name {
    case "type":
      context.binding.input.wrappedValue = command.text
    case "add":
      try command.alone()
      try add()
    case "done":
      context.send(.marked(try knownID(command), done: true))
    case "undone":
      context.send(.marked(try knownID(command), done: false))
    case "delete":
      context.send(.deleted(try knownID(command)))
    case "filter":
      guard let filter = Todos.Filter(rawValue: String(command.argument)) else {
        throw .malformed("a filter is all, open or done")
      }
      context.send(.filterSelected(filter))
    default:
      throw .unknown
    }
  }

  func line(of state: Todos.State) -> String {
    let todos = state.visible.map { "\($0.id):\($0.isDone ? "done" : "open"):\(quoted($0.title))" }
    let error = state.error.map { " error=\(quoted($0))" } ?? ""
    return "filter=\(state.filter) input=\(quoted(state.input)) add=\(state.canAdd ? "on" : "off")"
      + " todos=[\(todos.joined(separator: ", "))]\(error)"
  }

  func press(_ key: Key) throws(Refusal) -> Bool {
    if view.isTyping { return try type(key) }
    let state = context[\.self]
    let selected = view.selected(in: state)
    switch (key, selected) {
    case (.up, _), (.character("k"), _): view.move(by: -1, in: state)
    case (.down, _), (.character("j"), _): view.move(by: 1, in: state)
    case (.character("a"), _): view.isTyping = true
    case (.character("f"), _): context.send(.filterSelected(state.filter.next))
    case (.character(" "), let todo?): context.send(.marked(todo.id, done: !todo.isDone))
    case (.character("d"), let todo?): context.send(.deleted(todo.id))
    default: return false
    }
    return true
  }

  func frame(of state: Todos.State) -> Frame {
    view.frame(of: state)
  }

  /// The last change may still be on its way to the disk.
  func finish() async {
    await context.quiet()
  }

  func loss(from state: Todos.State) -> String? {
    guard !state.isSaved else { return nil }
    return "the last changes are not saved: \(state.error ?? "the program ended first")"
  }

  private func add() throws(Refusal) {
    guard context.canAdd else {
      throw .refused("the input must hold 1 to 40 characters; change it with type TEXT")
    }
    context.send(.addTapped)
  }

  private func type(_ key: Key) throws(Refusal) -> Bool {
    switch key {
    case .enter: try add()
    case .escape: view.isTyping = false
    default: _ = context.binding.input.wrappedValue.edit(with: key)
    }
    return true
  }

  private func knownID(_ command: Command) throws(Refusal) -> Todo.ID {
    let id = try command.integer()
    guard context.list.todos.contains(where: { $0.id == id }) else {
      throw .refused("there is no todo \(id); filter all shows every number")
    }
    return id
  }
}
