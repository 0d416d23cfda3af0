import AsyncFeedback

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Does work on a thread of its own and blocks the caller until it is done.
///
/// For tests that need something to happen elsewhere while the caller's executor is held.
func onOtherThread(stackSize: Int? = nil, _ work: @escaping @Sendable () -> Void) {
  final class Errand {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }

  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  pthread_attr_init(attributes)
  defer {
    pthread_attr_destroy(attributes)
    attributes.deallocate()
  }
  if let stackSize {
    let status = pthread_attr_setstacksize(attributes, stackSize)
    precondition(status == 0, "the stack size must be accepted (was error \(status))")
  }
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let errand = Unmanaged.passRetained(Errand(work))
  let status = pthread_create(
    &thread, attributes,
    { argument in
      #if canImport(Darwin)
        let pointer = argument
      #else
        guard let pointer = argument else { return nil }
      #endif
      Unmanaged<Errand>.fromOpaque(pointer).takeRetainedValue().work()
      return nil
    }, errand.toOpaque())
  precondition(status == 0, "a thread must start (was error \(status))")
  #if canImport(Darwin)
    if let thread { pthread_join(thread, nil) }
  #else
    pthread_join(thread, nil)
  #endif
}
