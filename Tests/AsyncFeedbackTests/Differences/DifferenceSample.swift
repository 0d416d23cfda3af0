import AsyncFeedback

/// The values whose differences are looked at.
enum DifferenceSample {
  struct Todo: Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
    var isDone = false
  }

  enum Filter: Equatable, Sendable { case all, open, done }

  struct State: Equatable, Sendable {
    var filter = Filter.all
    var input = ""
    var selected: Int?
    var todos: [Todo] = []
  }
}

/// A suite about the differences of such values.
protocol DifferenceSuite {}

extension DifferenceSuite {
  typealias Todo = DifferenceSample.Todo
  typealias State = DifferenceSample.State

  func todos(_ count: Int) -> [Todo] {
    (1...count).map { Todo(id: $0, title: "todo \($0)") }
  }

  func lines<Value>(_ old: Value, _ new: Value) -> [String] {
    Difference(from: old, to: new).lines
  }
}
