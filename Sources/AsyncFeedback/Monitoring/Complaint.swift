#if canImport(Darwin)
  private import Darwin
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#endif

/// Says one line on the standard error output, for misuse that a context without a monitor survives.
package func complain(_ text: String) {
  var line = Array("async-feedback: \(text)\n".utf8)
  line.withUnsafeMutableBytes { bytes in
    // A line that cannot be written has nobody left to tell.
    _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}
