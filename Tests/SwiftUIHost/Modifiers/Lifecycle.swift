/// What happens as a view comes and goes.
enum Lifecycle {
  case appear(() -> Void)
  case disappear(() -> Void)
  case task(TaskRequest)
}

/// What a view has to have done while it is there.
struct TaskRequest {
  let id: any Equatable
  let name: String?
  let priority: TaskPriority
  let action: @isolated(any) () async -> Void

  func hasSameID(as other: TaskRequest) -> Bool {
    func isSame<ID: Equatable>(_ id: ID) -> Bool { other.id as? ID == id }
    return isSame(id)
  }

  /// Starts it on the main actor.
  @MainActor
  func start() -> Task<Void, Never> {
    let action = action
    return Task(name: name, priority: priority) { @MainActor in await action() }
  }
}

extension View {
  /// Does something before the view appears.
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    modified { outline, _ in if let action { outline.lifecycle = .appear(action) } }
  }

  /// Does something after the view has disappeared.
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    modified { outline, _ in if let action { outline.lifecycle = .disappear(action) } }
  }

  /// Does something while the view is there.
  public func task(
    name: String? = nil, priority: TaskPriority = .userInitiated, file: String = #fileID,
    line: Int = #line,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View {
    let request = TaskRequest(id: 0, name: name, priority: priority, action: action)
    return modified { outline, _ in outline.lifecycle = .task(request) }
  }

  /// Does something while the view is there, and again whenever the id has changed.
  public func task<ID: Equatable>(
    id: ID, name: String? = nil, priority: TaskPriority = .userInitiated, file: String = #fileID,
    line: Int = #line,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View {
    let request = TaskRequest(id: id, name: name, priority: priority, action: action)
    return modified { outline, _ in outline.lifecycle = .task(request) }
  }

  /// Does something when a person pulls at the top of a list.
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
    setting { $0.refresh = RefreshAction(action: action) }
  }
}
