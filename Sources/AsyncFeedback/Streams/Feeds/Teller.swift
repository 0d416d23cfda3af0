package import Observation
internal import Synchronization

/// Tells the observers of an object that changes on many threads, one change at a time.
///
/// A registrar that is told on two threads at once calls an observer on both. One that tracks again when it
/// is called, as a view does, would then be there twice, and soon without number.
package final class Teller: Sendable {
  let registrar = ObservationRegistrar()
  /// How many changes are to be told, the one that is being told included.
  private let pending = Atomic(0)

  package init() {}

  /// Tells of a change, or leaves that to the thread that is telling of another.
  package func tell(_ change: (ObservationRegistrar) -> Void) {
    guard pending.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
    var told = 0
    repeat {
      told = pending.load(ordering: .acquiring)
      change(registrar)
    } while !pending.compareExchange(
      expected: told, desired: 0, ordering: .acquiringAndReleasing
    ).exchanged
  }
}
