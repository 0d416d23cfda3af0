import AsyncFeedback
import AsyncFeedbackTestSupport

/// Loads and names: the system of the tests of stepping.
struct Stepper: SystemProtocol {
  struct State: Equatable {
    var isLoading = false
    var items: [Int] = []
    var note: String?
    var ratio = 0.0
  }

  enum Event: Equatable {
    case loadTapped
    case loaded([Int])
    case noted(String)
    case measured(Double)
    case ignored
  }

  /// What the load answers; it waits a second on the clock first.
  var answers: [Int] = [1, 2]
  let clock: TestClock

  func reducer() -> Reducer {
    { state, event in
      switch event {
      case .loadTapped: state.isLoading = true
      case .loaded(let items):
        state.isLoading = false
        state.items += items
      case .noted(let note): state.note = note
      case .measured(let ratio): state.ratio = ratio
      case .ignored: break
      }
    }
  }

  func feedbacks() -> [Feedback<Self>] {
    [
      Feedback(.while(\.isLoading), name: "load") { [clock, answers] _ in
        try? await clock.sleep(for: .seconds(1))
        return .loaded(answers)
      },
      Feedback(.onChanged(\.items), name: "note") { state in
        state.items.isEmpty ? nil : .noted("\(state.items.count) items")
      },
    ]
  }
}

/// The head of a failure's text with the places of this file's feedbacks written `place`.
func withoutPlaces(_ text: String) -> String {
  text.replacing(/\([A-Za-z]+\/[A-Za-z0-9+]+\.swift:\d+\)/, with: "(place)")
}
