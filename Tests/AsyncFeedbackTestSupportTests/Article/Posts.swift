import AsyncFeedback

/// Loads posts when it is told to, and again after a failure.
struct Posts: SystemProtocol {
  struct State: Equatable {
    /// The attempt that is going on.
    var request: Int?
    var posts: [String] = []
    var error: String?
    var attempts = 0
  }

  enum Event: Equatable {
    case loadTapped
    case loaded([String])
    case failed(String)
  }

  /// Fetches the posts; told which attempt it is.
  var fetch: @Sendable (Int) async throws -> [String]

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .loadTapped:
        state.attempts += 1
        state.request = state.attempts
        state.error = nil
      case .loaded(let posts):
        state.request = nil
        state.posts = posts
      case .failed(let error):
        state.request = nil
        state.error = error
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    Feedback.request(\.request, name: "load", catch: { .failed("\($0)") }) { [fetch] attempt in
      .loaded(try await fetch(attempt))
    }
  }
}
