internal import AsyncFeedback

/// Who makes a job ready or runs the executor: a task, or a thread where code runs outside of any.
struct Caller: Equatable, Sendable {
  private let task: Int?
  private let thread: ThreadIdentity?

  static var current: Caller {
    let task = withUnsafeCurrentTask { $0?.hashValue }
    return Caller(task: task, thread: task == nil ? .current : nil)
  }
}
