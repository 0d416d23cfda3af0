/// How ``exploreSchedules(_:_:seed:_:)`` goes through the orders of what is ready.
public enum ScheduleStrategy: Sendable, Hashable {
  /// Draws each order at random, by its seed.
  case random
  /// Goes through all orders, each once, for bodies in which little is ready at a time.
  ///
  /// `n` jobs that are ready at once have `n!` orders. A task takes a job for each hop from one executor
  /// to another, often two or three between one wait and the next, so a few tasks have very many.
  case exhaustive
}
