public import AsyncFeedback

/// Gives the events of an exploration: from a list of them, or a function that makes them up.
///
/// ```swift
/// struct Counter: SystemProtocol {
///   struct State { var count = 0 }
///   enum Event { case added(Int) }
///   func reducer() -> Reducer { { state, event in if case .added(let n) = event { state.count += n } } }
///   func feedbacks() -> [Feedback<Self>] { [] }
/// }
///
/// let some: EventGenerator<Counter> = [.added(1), .added(-1)]
/// let any = EventGenerator<Counter> { state, numbers in
///   .added(Int.random(in: -state.count...10, using: &numbers))
/// }
/// ```
public struct EventGenerator<System: SystemProtocol>: Sendable {
  let makeEvent: @Sendable (System.State, inout SeededGenerator) -> System.Event

  /// Makes up each event when it is to be sent.
  ///
  /// - Parameter makeEvent: gets the state at that moment, and the only numbers it may use, so that the
  ///   same seed gives the same events.
  public init(
    _ makeEvent: @escaping @Sendable (System.State, inout SeededGenerator) -> System.Event
  ) {
    self.makeEvent = makeEvent
  }

  /// Draws each event from a list.
  public init(_ events: [System.Event]) {
    precondition(!events.isEmpty, "an exploration must have events (had none)")
    self.init { _, numbers in events[Int.random(in: events.indices, using: &numbers)] }
  }
}

extension EventGenerator: ExpressibleByArrayLiteral {
  /// Draws each event from a list.
  public init(arrayLiteral elements: System.Event...) {
    self.init(elements)
  }
}
