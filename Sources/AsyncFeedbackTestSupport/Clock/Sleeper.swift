/// What is asleep on a ``TestClock``, and until when.
package struct Sleeper: Sendable, CustomStringConvertible {
  /// Counts the sleeps of the clock in the order they were registered.
  package let number: Int

  /// When it wakes.
  package let deadline: TestClock.Instant

  let id: SleepID?

  /// The job that went to sleep, where a deterministic executor ran it.
  let job: JobIdentity?

  /// The id it was given, in words.
  package var name: String? { id.map { String(describing: $0.value) } }

  /// A phrase for a report, such as `"refresh" until 3.0 seconds`.
  package var description: String {
    "\(name.map { "\"\($0)\"" } ?? "a sleeper without id") until \(deadline)"
  }
}

/// The name a test gave to a sleep.
///
/// Ids are values of the test (strings, enum cases), whose types seldom say that they are Sendable.
// Unchecked: a value is only hashed, compared and described, and it stays as it is once it is an id.
struct SleepID: Hashable, @unchecked Sendable {
  let value: AnyHashable

  init(_ value: some Hashable) {
    self.value = AnyHashable(value)
  }
}
