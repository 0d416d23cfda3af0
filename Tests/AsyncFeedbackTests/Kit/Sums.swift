import AsyncFeedback

/// A sum of the numbers that were sent.
typealias Sum = ClosureSystem<Int, Int>

extension ClosureSystem where State == Int, Event == Int {
  static func adding(_ feedbacks: [Feedback<Self>] = []) -> Self {
    Self({ $0 += $1 }, feedbacks: feedbacks)
  }
}

/// The numbers that were sent, in the order in which they were reduced.
typealias Trace = ClosureSystem<[Int], Int>

extension ClosureSystem where State == [Int], Event == Int {
  static func appending(_ feedbacks: [Feedback<Self>] = []) -> Self {
    Self({ $0.append($1) }, feedbacks: feedbacks)
  }
}
