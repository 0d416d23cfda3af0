package import AsyncFeedback

/// A list of todos that is kept somewhere.
///
/// One feedback validates the input, one adds, one saves.
package struct Todos: SystemProtocol {
  package struct State: Sendable, Equatable {
    /// What is being typed; written by a binding.
    package var input = ""
    package var canAdd = false
    package var filter = Filter.all
    package var list: TodoList
    /// Why the list could not be saved.
    package var error: String?
    /// The title on its way into the list.
    package internal(set) var submission: String?
    /// The list as it was last saved.
    var saved: TodoList

    /// - Parameter list: The list as it is kept now.
    package init(_ list: TodoList = TodoList()) {
      self.list = list
      saved = list
    }

    /// Whether the list is kept as it is.
    package var isSaved: Bool { list == saved }

    /// The todos that pass the filter.
    package var visible: [Todo] {
      list.todos.filter { filter.accepts($0) }
    }
  }

  package enum Filter: String, Sendable, CaseIterable {
    case all, open, done

    func accepts(_ todo: Todo) -> Bool {
      switch self {
      case .all: true
      case .open: !todo.isDone
      case .done: todo.isDone
      }
    }
  }

  package enum Event: Sendable {
    case inputValidated(isAcceptable: Bool)
    case addTapped
    case added(title: String)
    case marked(Todo.ID, done: Bool)
    case deleted(Todo.ID)
    case filterSelected(Filter)
    case saved(TodoList)
    case saveFailed(String)
  }

  private let save: @Sendable (TodoList) async throws -> Void
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - save: Keeps the list. Never called while an earlier call goes on.
  ///   - clock: Measures the time between two attempts to save.
  package init(
    clock: any Clock<Duration> = ContinuousClock(),
    save: @escaping @Sendable (TodoList) async throws -> Void
  ) {
    self.clock = clock
    self.save = save
  }

  package func reducer() -> Reducer {
    { state, event in
      switch event {
      case .inputValidated(let isAcceptable): state.canAdd = isAcceptable
      case .addTapped where state.canAdd:
        state.submission = state.input.trimmed
        state.input = ""
      case .addTapped: break
      case .added(let title):
        state.submission = nil
        state.list.add(title)
      case .marked(let id, let isDone): state.list.mark(id, done: isDone)
      case .deleted(let id): state.list.delete(id)
      case .filterSelected(let filter): state.filter = filter
      case .saved(let list):
        state.saved = list
        state.error = nil
      case .saveFailed(let error): state.error = error
      }
    }
  }

  package func feedbacks() -> [Feedback<Self>] {
    Feedback(.onChanged(\.input), name: "validate") { state in
      .inputValidated(isAcceptable: (1...40).contains(state.input.trimmed.count))
    }
    Feedback.request(\.submission, name: "add") { title in
      .added(title: title)
    }
    // Why `.latest(.afterCleanup)`: a save that is under way cannot be taken back, so the next one
    // waits for its end and an older list never lands on a newer one. Of the lists that change
    // meanwhile only the newest is saved; `.queued` would save each of them, `.latest` two at once.
    // Why not a request for what is unsaved: a change and its reversal would take the request back
    // while the changed list is already being written.
    Feedback(
      .onChanged(\.list), policy: .latest(.afterCleanup), name: "save",
      catch: { error in .saveFailed("\(error)") }
    ) { [save] state, send in
      do {
        try await save(state.list)
        send(.saved(state.list))
      } catch {
        // Said at every attempt; the error itself is left to the retries.
        send(.saveFailed("\(error)"))
        throw error
      }
    }
    .retrying(
      limit: .max, backoff: .exponential(from: .milliseconds(100), to: .seconds(10)), clock: clock)
  }
}

extension String {
  /// The text without the blanks around it.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
