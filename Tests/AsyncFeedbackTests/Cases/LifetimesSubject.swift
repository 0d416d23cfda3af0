import AsyncFeedback

/// Requests by name, and what came back.
enum LifetimesEvent: Sendable {
  case requested(String?)
  case rowsChanged([Int])
  case answered(String)
}

struct LifetimesRow: Sendable, Identifiable, Equatable {
  let id: Int
}

struct LifetimesState: Sendable {
  var request: String?
  var rows: [LifetimesRow] = []
  var answers: [String] = []
}

typealias LifetimesSubject = ClosureSystem<LifetimesState, LifetimesEvent>

func lifetimesSubject(_ feedbacks: [Feedback<LifetimesSubject>]) -> LifetimesSubject {
  LifetimesSubject(
    { state, event in
      switch event {
      case .requested(let request): state.request = request
      case .rowsChanged(let ids): state.rows = ids.map(LifetimesRow.init)
      case .answered(let answer): state.answers.append(answer)
      }
    }, feedbacks: feedbacks)
}
