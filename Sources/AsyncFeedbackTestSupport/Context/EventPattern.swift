internal import AsyncFeedback

/// What a test expects of an event.
struct EventPattern<Event> {
  /// The expected event, where it is known whole.
  let value: Event?
  /// The expectation in words.
  let text: String
  let matches: (Event) -> Bool

  /// Expects an event that is the same as this one; one without `Equatable` is compared by its parts.
  init(_ value: Event) {
    self.value = value
    text = describe(value)
    matches = { isSame(value, $0) }
  }

  /// Expects an event that the condition holds for.
  init(_ text: String, _ matches: @escaping (Event) -> Bool) {
    value = nil
    self.text = text
    self.matches = matches
  }
}
