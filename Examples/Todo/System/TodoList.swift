/// Something to do.
package struct Todo: Sendable, Equatable, Identifiable, Codable {
  package let id: Int
  package let title: String
  package var isDone = false
}

/// The todos in the order they were added.
///
/// Their ids ascend, and none is used twice, even after a
/// todo is deleted: the list remembers the next one.
package struct TodoList: Sendable, Equatable {
  package private(set) var todos: [Todo] = []
  private var nextID = 1

  /// Makes a list of new todos.
  package init(_ titles: [String] = []) {
    for title in titles { add(title) }
  }

  package mutating func add(_ title: String) {
    todos.append(Todo(id: nextID, title: title))
    nextID += 1
  }

  package mutating func mark(_ id: Todo.ID, done isDone: Bool) {
    guard let index = todos.firstIndex(where: { $0.id == id }) else { return }
    todos[index].isDone = isDone
  }

  package mutating func delete(_ id: Todo.ID) {
    todos.removeAll { $0.id == id }
  }
}

extension TodoList: Codable {
  private enum CodingKeys: CodingKey {
    case nextID, todos
  }

  /// Refuses a list whose ids do not ascend or that would use one twice.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    todos = try container.decode([Todo].self, forKey: .todos)
    nextID = try container.decode(Int.self, forKey: .nextID)
    let ids = [0] + todos.map(\.id) + [nextID]
    guard zip(ids, ids.dropFirst()).allSatisfy(<), nextID < .max else {
      throw DecodingError.dataCorruptedError(
        forKey: .todos, in: container, debugDescription: "The ids must ascend.")
    }
  }
}
