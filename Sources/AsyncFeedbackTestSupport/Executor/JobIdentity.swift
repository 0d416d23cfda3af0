/// Whose a job is: all jobs of one task have the same identity.
///
/// The identity of a task that has ended may be given to a new one.
package struct JobIdentity: Hashable, Sendable {
  private let bits: UInt

  init(_ job: UnownedJob) {
    // The reference to a job, which is all that an unowned job is, is compared and never followed.
    bits = unsafeBitCast(job, to: UInt.self)
  }
}
