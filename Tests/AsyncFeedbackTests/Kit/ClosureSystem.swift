import AsyncFeedback

/// A system made of closures, for tests that each need one of their own.
struct ClosureSystem<State: Sendable, Event: Sendable>: SystemProtocol {
  let reduce: @Sendable (inout State, Event) -> Void
  let list: [Feedback<Self>]

  init(reduce: @escaping @Sendable (inout State, Event) -> Void, list: [Feedback<Self>]) {
    self.reduce = reduce
    self.list = list
  }

  init(
    _ reduce: @escaping @Sendable (inout State, Event) -> Void, feedbacks: [Feedback<Self>] = []
  ) {
    self.init(reduce: reduce, list: feedbacks)
  }

  func reducer() -> (inout State, Event) -> Void { reduce }

  func feedbacks() -> [Feedback<Self>] { list }
}

/// An event that changes the state as it says.
struct Change<State: Sendable>: Sendable {
  let apply: @Sendable (inout State) -> Void

  init(_ apply: @escaping @Sendable (inout State) -> Void) {
    self.apply = apply
  }

  static func set<Value: Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) -> Self {
    Self { $0[keyPath: keyPath] = value }
  }
}

/// A system whose events say themselves what they change.
typealias ChangeSystem<State: Sendable> = ClosureSystem<State, Change<State>>

extension ClosureSystem where Event == Change<State> {
  init(@FeedbackBuilder<Self> _ list: () -> [Feedback<Self>]) {
    self.init(reduce: { state, change in change.apply(&state) }, list: list())
  }
}

/// The error of these tests.
struct Failure: Error, Equatable {
  var code = 0
}

/// How often values were compared.
final class Comparisons: Sendable {
  private let lock = Lock(0)

  var count: Int { lock.withLock { $0 } }

  func add() {
    lock.withLock { $0 += 1 }
  }

  func clear() {
    lock.withLock { $0 = 0 }
  }
}

/// A number that counts its comparisons.
struct Compared: Equatable, Sendable {
  var number: Int
  let comparisons: Comparisons

  static func == (left: Self, right: Self) -> Bool {
    left.comparisons.add()
    return left.number == right.number
  }
}
