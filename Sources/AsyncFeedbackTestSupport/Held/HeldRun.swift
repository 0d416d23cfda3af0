public import AsyncFeedback

/// A run whose body is held, as it is alive now.
public struct HeldRun: Sendable {
  /// The run: its feedback, and the event that started it.
  public let info: RunInfo

  /// What the body would work on: the state for a feedback with a trigger, the request, the element, or
  /// what was found in the event; nil for a tick, and for a stream without a key.
  ///
  /// It is that of the moment of the trigger, also where the run had to wait for another. Of an element
  /// that is handed on to the run that is going it is the newest value.
  public let payload: (any Sendable)?

  let key: RunKey?

  /// The name of the feedback.
  public var name: String { info.feedback.name }

  /// The id of the element that the run belongs to, in `Feedback.each`.
  public var elementID: AnyHashable? { key?.id }
}

extension HeldRun: CustomStringConvertible {
  /// The feedback, the id of the element, and the payload.
  public var description: String { "\(info)\(payloadText)" }

  /// What a report says of the payload, behind the rest.
  var payloadText: String { payload.map { ", payload \(describe($0))" } ?? "" }
}
