#if canImport(Darwin)
  private import Synchronization
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#endif

/// A value that only one thread at a time may touch.
///
/// On Apple platforms this is `Mutex`. Elsewhere it is a pthread mutex, because the thread sanitizer
/// does not see the synchronization of `Mutex` on Linux and reports races that are none.
///
/// The lock is not recursive: a body that locks it again waits for itself.
package struct Lock<Value>: ~Copyable {
  #if canImport(Darwin)
    private let mutex: Mutex<Value>

    package init(_ value: sending Value) {
      mutex = Mutex(value)
    }

    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  #else
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
      mutex = .allocate(capacity: 1)
      self.value = .allocate(capacity: 1)
      self.value.initialize(to: value)
      let status = pthread_mutex_init(mutex, nil)
      precondition(status == 0, "a pthread mutex must initialise (was error \(status))")
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  #endif
}

// The pointers are reached only under the mutex, and the value came in as `sending`.
extension Lock: @unchecked Sendable {}
