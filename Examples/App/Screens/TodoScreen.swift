package import AsyncFeedbackSwiftUI
package import SwiftUI
package import TodoSystem

/// A list of todos, with a field for the next one.
///
/// The context is the app's: there is one list, whoever shows it, and what is to be saved outlives the screen.
package struct TodoScreen: View {
  @ViewContext private var context: Context<Todos>
  private let notice: String?

  /// - Parameters:
  ///   - context: has the list.
  ///   - notice: what the person should know about the list.
  package init(_ context: Context<Todos>, notice: String? = nil) {
    _context = ViewContext(wrappedValue: context)
    self.notice = notice
  }

  package var body: some View {
    List {
      Section {
        TextField("New todo", text: $context.input)
        Button("Add") { context.send(.addTapped, animation: .default) }
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
      if let notice { Text(notice).foregroundStyle(.secondary) }
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
      // In a row of a list another style would take the taps of the whole row.
      Button("Delete") { context.send(.deleted(todo.id), animation: .default) }
        .buttonStyle(.borderless)
    }
  }
}
