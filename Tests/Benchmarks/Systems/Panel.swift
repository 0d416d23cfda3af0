import AsyncFeedback

/// A state of a hundred fields.
struct Panel: SystemProtocol {
  struct State {
    var fields = Hundred()
  }

  struct Ten {
    var a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0
  }

  struct Hundred {
    var a = Ten(), b = Ten(), c = Ten(), d = Ten(), e = Ten()
    var f = Ten(), g = Ten(), h = Ten(), i = Ten(), j = Ten()
  }

  enum Event {
    case bumped
  }

  /// The paths of all hundred fields.
  static var paths: [KeyPath<State, Int>] {
    let tens: [KeyPath<State, Ten>] = [
      \.fields.a, \.fields.b, \.fields.c, \.fields.d, \.fields.e,
      \.fields.f, \.fields.g, \.fields.h, \.fields.i, \.fields.j,
    ]
    let units: [KeyPath<Ten, Int>] = [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j]
    return tens.flatMap { ten in units.map { ten.appending(path: $0) } }
  }

  func reducer() -> Reducer {
    { state, _ in state.fields.e.e &+= 1 }
  }

  func feedbacks() -> [Feedback<Self>] { [] }
}
