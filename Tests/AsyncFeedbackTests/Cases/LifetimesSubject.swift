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

/// A suite about such a system.
protocol LifetimesSuite {}

extension LifetimesSuite {
  typealias Event = LifetimesEvent
  typealias Row = LifetimesRow
  typealias State = LifetimesState
  typealias Subject = LifetimesSubject

  func subject(_ feedbacks: [Feedback<Subject>]) -> Subject {
    Subject(
      { state, event in
        switch event {
        case .requested(let request): state.request = request
        case .rowsChanged(let ids): state.rows = ids.map(LifetimesRow.init)
        case .answered(let answer): state.answers.append(answer)
        }
      }, feedbacks: feedbacks)
  }
}
