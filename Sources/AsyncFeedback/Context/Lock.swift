#if canImport(Darwin)
  public import Synchronization
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
@usableFromInline
package struct Lock<Value>: ~Copyable {
  #if canImport(Darwin)
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    package init(_ value: consuming sending Value) {
      mutex = Mutex(value)
    }

    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  #else
    @usableFromInline let mutex: PlatformMutex
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ value: consuming sending Value) {
      mutex = PlatformMutex()
      self.value = .allocate(capacity: 1)
      self.value.initialize(to: value)
    }

    @inlinable
    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
    }

    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      mutex.lock()
      defer { mutex.unlock() }
      return try body(&value.pointee)
    }
  #endif
}

// The value is reached only under the mutex, and came in as `sending`.
extension Lock: @unchecked Sendable {}

#if !canImport(Darwin)
  /// A pthread mutex.
  @usableFromInline
  struct PlatformMutex: ~Copyable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline
    init() {
      mutex = .allocate(capacity: 1)
      let status = pthread_mutex_init(mutex, nil)
      precondition(status == 0, "a pthread mutex must initialise (was error \(status))")
    }

    @usableFromInline
    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    @usableFromInline
    func lock() {
      pthread_mutex_lock(mutex)
    }

    @usableFromInline
    func unlock() {
      pthread_mutex_unlock(mutex)
    }
  }
#endif
