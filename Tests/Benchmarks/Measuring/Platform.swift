// What the benchmarks take from the platform: its clocks, its standard error, its exit.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The clock that all rows of one run are measured with.
enum BenchmarkClock: String, Sendable {
  /// The time on the wall: what a user waits.
  case wall
  /// The processor time of all threads of the process: for a machine that is busy with other work.
  case cpu

  /// The time in nanoseconds since some moment.
  func now() -> Int {
    var time = timespec()
    clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}

/// Prints a line to the standard error.
func printError(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Ends the program.
func endProgram(_ status: Int32) -> Never {
  #if canImport(Darwin)
    Darwin.exit(status)
  #else
    Glibc.exit(status)
  #endif
}
