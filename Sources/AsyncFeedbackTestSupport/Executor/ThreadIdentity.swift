#if canImport(Darwin)
  private import Darwin
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#endif

/// Which thread it is: comparable, and of no other use.
///
/// The system hands the identity of an ended thread to a new one, so it means something only while
/// the thread is known to run.
package struct ThreadIdentity: Equatable, Sendable {
  private let bits: UInt

  /// The thread that asks.
  package static var current: ThreadIdentity {
    #if canImport(Glibc)
      ThreadIdentity(bits: UInt(pthread_self()))
    #else
      ThreadIdentity(bits: UInt(bitPattern: pthread_self()))
    #endif
  }
}
