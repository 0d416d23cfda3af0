import AsyncFeedback

/// A system that a test puts together from closures.
struct AdHocSystem<State: Sendable, Event: Sendable>: SystemProtocol {
  private let reduce: @Sendable (inout State, Event) -> Void
  private let list: [Feedback<Self>]

  init(
    _ reduce: @escaping @Sendable (inout State, Event) -> Void, feedbacks: [Feedback<Self>] = []
  ) {
    self.reduce = reduce
    list = feedbacks
  }

  func reducer() -> (inout State, Event) -> Void { reduce }

  func feedbacks() -> [Feedback<Self>] { list }
}

/// A sum of the numbers that were sent.
typealias Sum = AdHocSystem<Int, Int>

extension AdHocSystem where State == Int, Event == Int {
  static func adding(_ feedbacks: [Feedback<Self>] = []) -> Self {
    Self({ $0 += $1 }, feedbacks: feedbacks)
  }
}

/// The numbers that were sent, in the order in which they were reduced.
typealias Trace = AdHocSystem<[Int], Int>

extension AdHocSystem where State == [Int], Event == Int {
  static func appending(_ feedbacks: [Feedback<Self>] = []) -> Self {
    Self({ $0.append($1) }, feedbacks: feedbacks)
  }
}
