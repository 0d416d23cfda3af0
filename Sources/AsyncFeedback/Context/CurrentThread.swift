private import Dispatch
private import Synchronization

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
  fileprivate let bits: UInt

  /// The thread that asks.
  package static var current: ThreadIdentity {
    #if canImport(Glibc)
      ThreadIdentity(bits: UInt(pthread_self()))
    #else
      ThreadIdentity(bits: UInt(bitPattern: pthread_self()))
    #endif
  }
}

/// Remembers the thread that is inside something, so that code can tell whether it runs there.
package struct CurrentThread: ~Copyable, Sendable {
  private let thread = Atomic<UInt>(0)

  package init() {}

  // Relaxed is enough: only the thread that stored its own number can find it.
  package borrowing func enter() {
    thread.store(ThreadIdentity.current.bits, ordering: .relaxed)
  }

  package borrowing func leave() {
    thread.store(0, ordering: .relaxed)
  }

  package var isCurrent: Bool {
    thread.load(ordering: .relaxed) == ThreadIdentity.current.bits
  }
}

/// Whether the calling code runs on the queue that is the main actor's executor.
///
/// On Apple platforms that is the main thread. On Linux the main queue is served by other threads once
/// the main thread has been given up, so there a mark on the queue tells.
package func isOnMainQueue() -> Bool {
  #if canImport(Darwin)
    pthread_main_np() != 0
  #else
    MainQueueMark.isFound
  #endif
}

#if !canImport(Darwin)
  private enum MainQueueMark {
    private static let key: DispatchSpecificKey<Bool> = {
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      return key
    }()

    static var isFound: Bool {
      DispatchQueue.getSpecific(key: key) == true
    }
  }
#endif
