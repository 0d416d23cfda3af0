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

  private let list: TodoList
  private let todos: @MainActor () -> Todos
  private let paging: @MainActor () -> Paging
  private let ticker: @MainActor () -> Ticker

  package init(
    list: TodoList, todos: @escaping @MainActor () -> Todos,
    paging: @escaping @MainActor () -> Paging, ticker: @escaping @MainActor () -> Ticker
  ) {
    self.list = list
    self.todos = todos
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
        case .todo: TodoScreen(list, system: todos())
        case .paging: PagingScreen(system: paging())
        case .ticker: TickerScreen(system: ticker())
        }
      }
      .navigationTitle(example.rawValue)
    }
  }
}
