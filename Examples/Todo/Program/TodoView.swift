import ExampleTerminal
import TodoSystem

/// What the terminal remembers beside the state: where the person is.
struct TodoView {
  var isTyping = false
  private var selection = 0

  func selected(in state: Todos.State) -> Todo? {
    let todos = state.visible
    return todos.isEmpty ? nil : todos[min(selection, todos.count - 1)]
  }

  mutating func move(by offset: Int, in state: Todos.State) {
    let last = max(state.visible.count - 1, 0)
    selection = min(max(min(selection, last) + offset, 0), last)
  }

  func frame(of state: Todos.State) -> Frame {
    let todos = state.visible
    let selected = min(selection, todos.count - 1)
    return Frame(
      header: ["todo  " + StyledText("\(state.filter)", .cyan)],
      list: todos.enumerated().map { line(for: $1, isSelected: $0 == selected && !isTyping) },
      focus: max(selected, 0),
      footer: footer(for: state))
  }

  private func line(for todo: Todo, isSelected: Bool) -> StyledText {
    StyledText(isSelected ? "> " : "  ", .bold)
      + StyledText(todo.isDone ? "[x] " : "[ ] ", todo.isDone ? .green : .plain)
      + StyledText(todo.title, todo.isDone ? .faint : .plain)
  }

  private func footer(for state: Todos.State) -> [StyledText] {
    var lines: [StyledText] = []
    if let error = state.error { lines.append(StyledText(error, .red)) }
    if isTyping {
      lines.append("new: " + StyledText("\(state.input)_", state.canAdd ? .bold : .red))
      lines.append(StyledText("enter: add   escape: back", .faint))
    } else {
      lines.append(
        StyledText("↑ ↓ select   space done   d delete   a add   f filter   q quit", .faint))
    }
    return lines
  }
}

extension Todos.Filter {
  /// The filter that follows, and after the last one the first.
  var next: Self {
    let all = Self.allCases
    return all[(all.firstIndex(of: self).map { $0 + 1 } ?? 0) % all.count]
  }
}
