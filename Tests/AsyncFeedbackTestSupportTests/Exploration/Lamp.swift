import AsyncFeedback
import AsyncFeedbackTestSupport

/// A lamp that breaks when it is switched on for the third time.
struct Lamp: SystemProtocol {
  struct State: Hashable {
    var isOn = false
    var count = 0
    var isBroken: Bool { count >= 3 }
  }

  enum Event: Equatable {
    case switched(on: Bool)
    case dusted
  }

  func reducer() -> Reducer {
    { state, event in
      guard case .switched(let isOn) = event else { return }
      if isOn, !state.isOn { state.count += 1 }
      state.isOn = isOn
    }
  }

  func feedbacks() -> [Feedback<Self>] { [] }

  static let isWhole = Invariant<State>("the lamp is whole") { !$0.isBroken }
}
