#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard output and standard error, written at once and without a buffer.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// Nobody reads the stream any more.
  struct Closed: Error {}

  /// Writes all of the text.
  ///
  /// Expects SIGPIPE to be ignored, so that a closed pipe is an error.
  func write(_ text: String) throws(Closed) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemWrite(rawValue, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        var request = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      } else if errno != EINTR {
        throw Closed()
      }
    }
  }
}

/// `write(2)`, which `StandardStream.write` would hide.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
