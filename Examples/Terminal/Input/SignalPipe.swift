import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The end that signal handlers write to; a handler may do little more than that.
private let writeEnd = Atomic<Int32>(-1)

/// Signals as bytes in a pipe, so that one wait covers them and the keys.
///
/// There is one for the whole process, since signal handlers know nothing but globals.
struct SignalPipe: Sendable {
  let readEnd: Int32

  /// Catches the signals from now on.
  init(catching signals: [Int32]) {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "A pipe for signals must open (was errno \(errno))")
    readEnd = ends[0]
    writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    for number in signals {
      signal(number) { number in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = saved
      }
    }
  }

  /// The number of the next signal.
  ///
  /// Blocks until there is one.
  func take() -> Int32 {
    var byte: UInt8 = 0
    while read(readEnd, &byte, 1) < 0 {}
    return Int32(byte)
  }
}
