import AsyncFeedbackSwiftUI
package import PagingSystem
package import SwiftUI

/// A list that grows as a person scrolls, and is refreshed with a pull.
package struct PagingScreen: View {
  @ViewContext private var context: Context<Paging>

  /// - Parameters:
  ///   - limit: how many posts a page has.
  ///   - system: gets them.
  package init(limit: Int = 20, system: @autoclosure @escaping @MainActor () -> Paging) {
    _context = ViewContext(state: .init(limit: limit), system: system())
  }

  package var body: some View {
    List {
      ForEach(context.posts) { post in Text(post.title) }
      PagingRemark(context: context)
    }
    .refreshable {
      await _context.send(.refreshTapped, suspendingWhile: context.phase == .loading)
    }
    // It is let through the first time only.
    .onAppear { context.send(.loadTapped) }
    .running(_context)
  }
}

/// What there is to say below the posts.
private struct PagingRemark: View {
  let context: Context<Paging>

  var body: some View {
    switch context.phase {
    case .loading, .loadingMore: ProgressView()
    case .failed(let error), .failedMore(let error):
      Text(error).foregroundStyle(.red)
      Button("Try again") { context.send(.retryTapped) }
    case .empty: Text("There are no posts").foregroundStyle(.secondary)
    case .loaded where context.isAtEnd: Text("The end").foregroundStyle(.secondary)
    // Whoever sees the end of the list sees that there will be more.
    case .loaded: ProgressView().onAppear { context.send(.moreTapped) }
    case .idle: EmptyView()
    }
  }
}
