/// What a context runs: a state, the events that change it, and the feedbacks that react to changes.
///
/// ```swift
/// struct Switch: SystemProtocol {
///   struct State { var isOn = false }
///   enum Event { case toggled }
///
///   func reducer() -> Reducer {
///     { state, _ in state.isOn.toggle() }
///   }
///
///   func feedbacks() -> [Feedback<Self>] { [] }
/// }
/// ```
///
/// A context asks for the reducer and for the feedbacks once, when it is made.
///
/// - The reducer is pure: its result depends on its two arguments alone and it does nothing else.
///   It never runs re-entrantly or concurrently (law 1), and changes the state where it stands (law 14).
/// - Feedbacks are evaluated after each transition in the order in which they are declared (law 3).
public protocol SystemProtocol: Sendable {
  /// Everything that the feedbacks and the readers of a context can see.
  associatedtype State: Sendable
  /// The facts that change the state.
  associatedtype Event: Sendable

  /// Changes the state in response to one event.
  typealias Reducer = (inout State, Event) -> Void

  /// Returns the function that reduces each event into the state.
  func reducer() -> Reducer

  /// Returns the feedbacks in the order in which they are evaluated: an array, or a list of statements.
  @FeedbackBuilder<Self>
  func feedbacks() -> [Feedback<Self>]
}
