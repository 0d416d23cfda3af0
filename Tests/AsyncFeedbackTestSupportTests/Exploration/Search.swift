import AsyncFeedback
import AsyncFeedbackTestSupport

/// A search whose loads may be answered in another order than they were asked for.
///
/// With `.overlapping` it is deliberately racy: the answer to an old query replaces that to the new one.
struct Search: SystemProtocol {
  struct State: Hashable {
    var query = ""
    var results: String?
  }

  enum Event: Equatable {
    case queryChanged(String)
    case loaded(String, of: String)
  }

  let policy: Policy
  let clock: TestClock

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .queryChanged(let query):
        state.query = query
        state.results = nil
      case .loaded(let results, _):
        state.results = results
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    Feedback(
      .onChanged(\.query), policy: policy, name: "load", fileID: "App/Search.swift", line: 24
    ) { [clock] state in
      guard !state.query.isEmpty else { return nil }
      try? await clock.sleep(for: .seconds(1))
      return .loaded("results of \(state.query)", of: state.query)
    }
  }

  static let nothingStale = Invariant<State>("results belong to the query") { state in
    state.results.map { $0 == "results of \(state.query)" } ?? true
  }
}
