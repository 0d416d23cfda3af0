/// One thing that happened in a context.
public enum MonitorRecord<System: SystemProtocol>: Sendable {
  /// A loop has begun.
  case loopStarted
  /// The last loop has ended. Listed are the runs that were cancelled and have not ended yet.
  case loopStopped(unended: [RunInfo])
  /// An event is about to be reduced, or a binding's write (without an event) to be applied.
  case event(System.Event?, number: Int, cause: Cause)
  /// The event with the number has changed the state, or left it as it was.
  case transition(number: Int, from: System.State, to: System.State)
  /// A body begins.
  case runStarted(RunInfo)
  /// A body has sent or returned an event, which is queued now.
  case answered(RunInfo, System.Event)
  /// A body has ended by itself.
  case runFinished(RunInfo)
  /// A run was cancelled; if its body has begun it may still be going.
  case runCancelled(RunInfo)
  /// The body of a run that was cancelled has ended.
  case runEnded(RunInfo)
  /// A body threw an error that became no event.
  case runFailed(RunInfo, any Error)
  /// An event was not reduced, since its run had lost its lease.
  case answerDropped(RunInfo, System.Event)
  /// A trigger was dropped, since no more may wait.
  case triggerDropped(RunInfo)
  /// A trigger was ignored, since a run of a `.dropping` feedback was going.
  case triggerIgnored(RunInfo)
  /// Something happened to a feed that a run iterates.
  ///
  /// What happens on another thread, such as the beginning of a gap, is told at the executor's next
  /// chance, in the order in which it happened to the feed.
  case feed(RunInfo, FeedReport)
  /// Events keep causing each other.
  case runaway(RunawayReport)

  /// Where an event came from.
  public enum Cause: Sendable, Hashable {
    /// `send` was called outside the feedbacks.
    case outside(fileID: String, line: Int)
    /// A binding was written.
    case binding
    /// A feedback answered.
    case feedback(RunInfo)
  }
}

/// One run of a feedback, in a report.
public struct RunInfo: Sendable, Hashable, CustomStringConvertible {
  /// The run's number; no other run of the context has it.
  public let number: UInt64
  /// The feedback.
  public let feedback: Declaration
  /// The id of the element that the run belongs to, in `Feedback.each`.
  public let key: String?
  /// The number of the event whose transition triggered the run; 0 for the start of a loop.
  public let startedBy: Int

  /// The feedback, and the element's id.
  public var description: String {
    key.map { "\(feedback.name)[\($0)] (\(feedback.fileID):\(feedback.line))" }
      ?? feedback.description
  }
}

/// Events that keep causing each other.
public struct RunawayReport: Sendable, Hashable, CustomStringConvertible {
  /// One step of the cycle.
  public struct Step: Sendable, Hashable {
    /// The feedback that answered.
    public let feedback: Declaration
    /// Its answer.
    public let event: String
  }

  /// How many events caused each other.
  public let count: Int
  /// The cycle, beginning anywhere; all that is known of the chain if it repeats nothing.
  public let cycle: [Step]

  /// What happened, why it is wrong, the likely cause and what to do.
  public var description: String {
    let steps = cycle.map { "\($0.feedback) → \($0.event)" }.joined(separator: " → ")
    return """
      \(count) events caused each other with no event from outside among them, so the loop never \
      comes to rest: \(steps) → … The likely cause is a feedback whose answer triggers it again: \
      let it answer nil once the state is as it should be, or wait on a clock (the limit can be set \
      with runawayLimit). The loop goes on and can be stopped.
      """
  }
}
