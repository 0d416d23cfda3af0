import AsyncFeedbackSwiftUI
package import SwiftUI
package import TodoSystem

/// A list of todos, with a field for the next one.
package struct TodoScreen: View {
  @ViewContext private var context: Context<Todos>

  /// - Parameters:
  ///   - list: the list as it is kept now.
  ///   - system: keeps the list.
  package init(_ list: TodoList, system: @autoclosure @escaping @MainActor () -> Todos) {
    _context = ViewContext(state: .init(list), system: system())
  }

  package var body: some View {
    List {
      Section {
        TextField("New todo", text: $context.input)
        Button("Add") { withAnimation { _ = context.send(.addTapped) } }
          .disabled(!context.canAdd)
      }
      Section {
        Picker("Show", selection: $context[\.filter, sending: { .filterSelected($0) }]) {
          ForEach(Todos.Filter.allCases, id: \.self) { filter in
            Text(filter.rawValue).tag(filter)
          }
        }
        ForEach(context.visible) { todo in TodoRow(todo: todo, context: context) }
        if context.visible.isEmpty { Text("No todos").foregroundStyle(.secondary) }
      }
      if let error = context.error { Text(error).foregroundStyle(.red) }
    }
    .running(_context)
  }
}

/// One of the todos.
private struct TodoRow: View {
  let todo: Todo
  let context: Context<Todos>

  var body: some View {
    HStack {
      Toggle(
        todo.title,
        isOn: Binding {
          todo.isDone
        } set: {
          context.send(.marked(todo.id, done: $0))
        })
      Button("Delete") { withAnimation { _ = context.send(.deleted(todo.id)) } }
    }
  }
}
