package import AsyncFeedbackSwiftUI
package import PagingSystem
package import SwiftUI
package import TickerSystem
package import TodoSystem

/// All examples, one at a time.
package struct ExamplesScreen: View {
  private enum Example: String, CaseIterable {
    case counter, todo, paging, ticker
  }

  @State private var example = Example.counter

  private let todos: Context<Todos>
  private let notice: String?
  private let paging: @MainActor () -> Paging
  private let ticker: @MainActor () -> Ticker

  /// - Parameters:
  ///   - todos: the list of todos.
  ///   - notice: what the person should know about that list.
  ///   - paging: makes the system of a screen of pages.
  ///   - ticker: makes the system of a screen of scores.
  package init(
    todos: Context<Todos>, notice: String? = nil,
    paging: @escaping @MainActor () -> Paging, ticker: @escaping @MainActor () -> Ticker
  ) {
    self.todos = todos
    self.notice = notice
    self.paging = paging
    self.ticker = ticker
  }

  package var body: some View {
    NavigationStack {
      VStack {
        Picker("Example", selection: $example) {
          ForEach(Example.allCases, id: \.self) { Text($0.rawValue).tag($0) }
        }
        switch example {
        case .counter: CounterScreen()
        case .todo: TodoScreen(todos, notice: notice)
        case .paging: PagingScreen(system: paging())
        case .ticker: TickerScreen(system: ticker())
        }
      }
      .navigationTitle(example.rawValue)
    }
  }
}
