internal import AsyncFeedback

/// A reducer that reduces each event twice and complains when two different states come of it.
///
/// - Parameter complain: takes what is wrong.
func checkingPurity<State, Event>(
  of reducer: @escaping (inout State, Event) -> Void, complain: @escaping @Sendable (String) -> Void
) -> (inout State, Event) -> Void {
  { state, event in
    var again = state
    reducer(&state, event)
    reducer(&again, event)
    guard !isSame(state, again) else { return }
    let difference = Difference(from: state, to: again).lines.map { "  \($0)" }
    complain(
      """
      the reducer made two states of one on \(describe(event)) (first → second):
      \(difference.joined(separator: "\n"))
      A reducer must depend on the state and the event alone: on no clock, no random number, no \
      identifier made on the spot, and on no object that two states share. Let a feedback make such a \
      value and answer with it.
      """)
  }
}
