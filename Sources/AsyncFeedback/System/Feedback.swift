/// A reaction to changes of the state: a trigger, and a body that answers with events.
///
/// ```swift
/// struct Counter: SystemProtocol {
///   struct State { var count = 1; var message: String? }
///   enum Event { case messageChanged(String?) }
///
///   func reducer() -> Reducer {
///     { state, event in
///       switch event {
///       case .messageChanged(let message): state.message = message
///       }
///     }
///   }
///
///   func feedbacks() -> [Feedback<Self>] {
///     Feedback(.onChanged(\.count)) { state in
///       .messageChanged(state.count.isMultiple(of: 3) ? "multiple of 3!!" : nil)
///     }
///   }
/// }
/// ```
///
/// - A synchronous body runs in the turn of its trigger; its event goes to the end of the queue.
/// - An asynchronous body starts at the end of that turn, on the context's executor. It leaves it only
///   by its own `await` of code that runs elsewhere (mark such code `@concurrent`).
/// - The event that a body returns, and those it sends, are dropped if its run has lost its lease by
///   the time their turn comes (law 6).
/// - A body sees the task-local values and the priority of the loop, never a sender's (law 19).
/// - A body that throws states in `catch` which event an error becomes. An error of a run that was
///   cancelled is silent; one that becomes no event is reported to the monitor.
public struct Feedback<System: SystemProtocol>: Sendable {
  @usableFromInline
  package enum Reaction: Sendable {
    /// Answers in the turn of the trigger.
    case answer(@Sendable (Sensor<System>.Look, Sensor<System>.Slot, RunKey?) -> System.Event?)
    /// Starts a run. The pace is that of the feedback, for a source that paces its elements itself.
    case run(
      @Sendable (Sensor<System>.Look, Sensor<System>.Slot, RunKey?, Pace?) -> WorkRecord<
        System.Event
      >, RunInput<System>)
  }

  /// The name and the place of the declaration.
  public let declaration: Declaration

  @usableFromInline package let sensor: Sensor<System>
  package let policy: Policy
  package let `catch`: (@Sendable (any Error) -> System.Event?)?
  package var reaction: Reaction
  package var pace: Pace?
  /// Whether the pace is for the elements of the source and not for the triggers.
  package let pacesElements: Bool
  /// What the modifiers make of each run's work, the innermost first.
  package var modifiers: [@Sendable (Work<System.Event>) -> Work<System.Event>] = []

  @usableFromInline
  package init(
    _ sensor: Sensor<System>, reaction: Reaction, policy: Policy, pacesElements: Bool = false,
    declaration: Declaration, catch: (@Sendable (any Error) -> System.Event?)?
  ) {
    self.sensor = sensor
    self.reaction = reaction
    self.policy = policy
    self.pacesElements = pacesElements
    self.declaration = declaration
    self.catch = `catch`
  }

  /// Joins a source and a body.
  @inlinable
  package init<Payload>(
    _ source: Source<System, Payload>, body: Body<Payload, System.Event>, policy: Policy,
    declaration: Declaration, catch: (@Sendable (any Error) -> System.Event?)? = nil
  ) {
    let read = source.payload
    func run(_ answers: RunInput<System>.Answers) -> Reaction {
      .run(
        { look, slot, key, _ in WorkRecord(body.work(on: read(look, slot, key))) },
        RunInput(answers, throwsErrors: `catch` != nil) { look, slot, key in
          read(look, slot, key)
        })
    }
    let reaction: Reaction
    switch body {
    case .synchronous(let evaluate):
      reaction = .answer { look, slot, key in evaluate(read(look, slot, key)) }
    case .asynchronous: reaction = run(.once)
    case .sending: reaction = run(.many)
    }
    self.init(
      source.sensor, reaction: reaction, policy: policy, declaration: declaration, catch: `catch`)
  }

  /// Joins a trigger and a body that gets the whole state.
  @inlinable
  package init(
    _ trigger: Trigger, body: Body<System.State, System.Event>, policy: Policy?, name: String?,
    function: String, fileID: String, line: Int,
    catch: (@Sendable (any Error) -> System.Event?)? = nil
  ) {
    let fallback: Policy =
      if case .condition = trigger.sensor.kind { .overlapping } else { .latest }
    self.init(
      Source(sensor: trigger.sensor, payload: { look, _, _ in look.pointee }), body: body,
      policy: policy ?? fallback,
      declaration: Declaration(
        name: name, word: trigger.sensor.word, function: function, fileID: fileID, line: line),
      catch: `catch`)
  }
}
