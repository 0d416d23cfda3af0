/// What the runs of a feedback work on, and how their bodies answer.
///
/// A context has no use for it. A test that does the work of the bodies itself has.
@usableFromInline
package struct RunInput<System: SystemProtocol>: Sendable {
  /// Reads what a body gets from the state, the slot and the key; nil where it gets nothing.
  @usableFromInline package typealias Read =
    @Sendable (Sensor<System>.Look, Sensor<System>.Slot, RunKey?) -> (any Sendable)?

  /// How a body answers.
  @usableFromInline
  package enum Answers: Sendable {
    /// With the event that it returns, if any.
    case once
    /// With what it sends.
    case many
    /// With what it sends; in between it waits inside the library, for an element or a tick.
    case elements
  }

  package let answers: Answers
  /// Whether the body can throw.
  package let throwsErrors: Bool
  /// What the end of a sequence is turned into.
  package let end: (@Sendable () -> System.Event?)?
  package let payload: Read

  @usableFromInline
  package init(
    _ answers: Answers, throwsErrors: Bool, end: (@Sendable () -> System.Event?)? = nil,
    payload: @escaping Read
  ) {
    self.answers = answers
    self.throwsErrors = throwsErrors
    self.end = end
    self.payload = payload
  }
}

extension Feedback {
  /// Makes the work of one run: on its payload, for its key, at the pace of its elements.
  package typealias Substitute =
    @Sendable (_ payload: (any Sendable)?, RunKey?, Pace?) -> Work<System.Event>

  /// The feedback with other work in place of what its body does.
  ///
  /// Its trigger, its policy, its modifiers and its `catch` stay. A body that answers within the turn of
  /// its trigger starts no run, so it stays too.
  package func substituting(
    _ substitute: (RunInput<System>) -> Substitute
  ) -> Self {
    guard case .run(_, let input) = reaction else { return self }
    let work = substitute(input)
    var substituted = self
    substituted.reaction = .run(
      { look, slot, key, pace in WorkRecord(work(input.payload(look, slot, key), key, pace)) },
      input)
    return substituted
  }
}
