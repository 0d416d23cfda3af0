import ExampleTerminal
import PagingSystem

/// What the terminal remembers beside the state: how far the person has scrolled.
struct PagingView {
  private var position = 0

  mutating func move(by offset: Int, in state: Paging.State) {
    position = min(max(position + offset, 0), max(state.posts.count - 1, 0))
  }

  func frame(of state: Paging.State) -> Frame {
    let position = min(position, max(state.posts.count - 1, 0))
    return Frame(
      header: [
        "paging  " + StyledText(state.phase.name, .cyan)
          + StyledText("  \(state.posts.count) posts", .faint)
      ],
      list: state.posts.enumerated().map { line(for: $1, isSelected: $0 == position) },
      focus: position,
      footer: [remark(on: state), help(for: state)])
  }

  private func line(for post: Post, isSelected: Bool) -> StyledText {
    StyledText(isSelected ? "> " : "  ", .bold) + StyledText("\(post.id)  ", .faint)
      + "\(post.title)"
  }

  private func remark(on state: Paging.State) -> StyledText {
    switch state.phase {
    case .loading, .loadingMore: "…"
    case .failed(let error), .failedMore(let error): StyledText(error, .red)
    case .empty: "there are no posts"
    case .loaded where state.isAtEnd: StyledText("the end", .faint)
    case .idle, .loaded: ""
    }
  }

  /// The keys that mean something now.
  private func help(for state: Paging.State) -> StyledText {
    let keys = [
      state.posts.isEmpty ? nil : "↑ ↓ scroll",
      state.accepts(.loadTapped) ? "l load" : nil,
      state.accepts(.moreTapped) ? "m more" : nil,
      state.accepts(.retryTapped) ? "r retry" : nil,
      state.accepts(.refreshTapped) ? "f refresh" : nil,
      "q quit",
    ]
    return StyledText(keys.compactMap(\.self).joined(separator: "   "), .faint)
  }
}
