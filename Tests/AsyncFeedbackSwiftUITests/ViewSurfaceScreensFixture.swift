import AsyncFeedbackSwiftUI
import AsyncFeedbackTestSupport
import SwiftUI
import Testing

// Screens as users of swiftui-async-feedback write them: a list that is edited, and one that is loaded. The one
// word that is another here is the type of a context that is written out.

private struct Notes: SystemProtocol {
  struct State {
    var input = ""
    var notes: [Note] = []
    var isAdding = false
    var filter = Filter.all
    var isAddDisabled = false
  }

  struct Note: Identifiable, Equatable {
    let id: Int
    let title: String
    var isRead = false
  }

  enum Filter: CaseIterable, Hashable {
    case all, unread
  }

  enum Event {
    case add
    case added(Note)
    case read(Note.ID, Bool)
    case disabled(Bool)
  }

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .add: state.isAdding = true
      case .added(let note):
        state.isAdding = false
        state.notes.append(note)
        state.input = ""
      case .read(let id, let isRead):
        guard let index = state.notes.firstIndex(where: { $0.id == id }) else { return }
        state.notes[index].isRead = isRead
      case .disabled(let isDisabled): state.isAddDisabled = isDisabled
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    [
      .add(),
      .validate(),
    ]
  }
}

extension Feedback where System == Notes {
  fileprivate static func add() -> Self {
    Feedback(.onChanged(\.isAdding)) { state in
      guard state.isAdding else { return nil }
      return .added(.init(id: state.notes.count, title: state.input))
    }
  }

  fileprivate static func validate() -> Self {
    Feedback(.onChanged(\.input)) { state in .disabled(state.input.isEmpty) }
  }
}

extension Notes.State {
  fileprivate var shown: [Notes.Note] {
    filter == .all ? notes : notes.filter { !$0.isRead }
  }
}

private struct NotesScreen: View {
  @ViewContext(state: Notes.State(), system: Notes())
  var context

  var body: some View {
    List {
      choice
      ForEach(context.shown) { note in
        Toggle(
          note.title,
          isOn: Binding(
            get: {
              note.isRead
            },
            set: { isRead in
              _context.send(.read(note.id, isRead))
            }))
      }
      TextField("Note", text: $context.input)
      Button("Add") { _context.send(.add) }
        .disabled(context.isAddDisabled)
    }
    .task {
      await _context.runFeedbackLoop()
    }
    .navigationTitle("Notes")
  }

  var choice: some View {
    Picker("Filter", selection: $context.filter) {
      ForEach(Notes.Filter.allCases, id: \.self) { filter in
        Text("\(filter)").tag(filter)
      }
    }
  }
}

private struct Numbers: SystemProtocol {
  let dependency: Dependency

  struct Dependency {
    var load: @Sendable (Int) async throws -> [Int]
  }

  enum Status {
    case idle
    case loading
    case loaded([Int])
    case failed(any Error)

    var isLoading: Bool {
      if case .loading = self { true } else { false }
    }
  }

  struct State: Sendable {
    var status = Status.idle
  }

  enum Event {
    case load
    case loaded(Result<[Int], any Error>)
  }

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .load:
        if state.status.isLoading { return }
        state.status = .loading
      case .loaded(.success(let numbers)): state.status = .loaded(numbers)
      case .loaded(.failure(let error)): state.status = .failed(error)
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    [
      .load(dependency.load)
    ]
  }
}

extension Feedback where System == Numbers {
  fileprivate static func load(_ load: @escaping @Sendable (Int) async throws -> [Int]) -> Self {
    Feedback(.onChanged(\.status.isLoading)) { state in
      guard state.status.isLoading else { return nil }
      do {
        return .loaded(.success(try await load(3)))
      } catch {
        return .loaded(.failure(error))
      }
    }
  }
}

private struct NumbersScreen: View {
  @ViewContext<Numbers>
  var context: Context<Numbers>

  init(dependency: Numbers.Dependency) {
    self._context = ViewContext(state: .init(), system: Numbers(dependency: dependency))
  }

  var body: some View {
    NumbersList(status: context.status, content: rows, retry: { _context.send(.load) })
      .refreshable {
        await _context.send(.load, suspendingWhile: context.status.isLoading)
      }
      .onAppear {
        _context.send(.load)
      }
      .task {
        await _context.runFeedbackLoop()
      }
  }

  func rows(_ numbers: [Int]) -> some View {
    ForEach(numbers, id: \.self) { Text("number \($0)") }
  }
}

private struct NumbersList<Content: View>: View {
  let status: Numbers.Status
  let content: ([Int]) -> Content
  let retry: () -> Void

  var body: some View {
    List {
      switch status {
      case .idle, .loading: ProgressView()
      case .loaded(let numbers): content(numbers)
      case .failed: Button("Retry") { retry() }
      }
    }
  }
}

extension ViewSurfaceTests {
  @Test func aListOfNotesIsWrittenAsItIsKnown() async throws {
    let host = Host { NotesScreen() }
    await host.wait(for: "[Add] (disabled)")
    try host.type("milk", into: "Note")
    await host.wait(for: "[Add]")
    try host.tap("Add")
    await host.wait(for: "[ ] milk")
    try host.toggle("milk")
    await host.wait(for: "[x] milk")
    try host.choose("unread", in: "Filter")
    #expect(host.lines == ["Notes", "Filter: unread", "Note: _", "[Add] (disabled)"])
  }

  @Test func aListThatIsLoadedIsWrittenAsItIsKnown() async throws {
    struct Offline: Error {}
    let attempts = Lock(0)
    let host = Host {
      NumbersScreen(
        dependency: .init { count in
          let attempt = attempts.withLock { attempts in
            attempts += 1
            return attempts
          }
          if attempt == 1 { throw Offline() }
          return Array(0..<count)
        })
    }
    await host.wait(for: "[Retry]")
    try host.tap("Retry")
    await host.wait(for: "number 2")
    try await host.pullToRefresh()
    #expect(host.lines == ["number 0", "number 1", "number 2"])
    #expect(attempts.withLock { $0 } == 3)
  }
}
