import Dispatch

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

  /// Why a stream does not take a text, with the number the system has for it.
  struct Failure: Error, CustomStringConvertible {
    fileprivate let stream: StandardStream
    fileprivate let code: Int32

    /// Whether the other end of a pipe is closed.
    var isWithoutReader: Bool { code == EPIPE }

    var description: String {
      "cannot write standard \(stream): \(String(cString: strerror(code))); "
        + "give it a terminal, a pipe, or a file with room"
    }
  }

  /// Opens something useless in the place of each standard stream that is closed.
  ///
  /// The next file to be opened would get its number, and what is printed would end in that file, or
  /// what is read be taken from it. A file that is open the wrong way round fails as a closed one
  /// does.
  static func occupyClosed() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Calls once, on a thread of its own, when the other end of the pipe that the stream is closes.
  ///
  /// Never where the stream is a file, or the system does not tell; the next write finds out then.
  func whenWithoutReader(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "reader of standard \(self)").async {
      // Nothing is asked for: an error is told in any case.
      var request = pollfd(fd: rawValue, events: 0, revents: 0)
      while poll(&request, 1, -1) < 0 { if errno != EINTR { return } }
      body()
    }
  }

  /// Writes all of the text.
  ///
  /// Expects SIGPIPE to be ignored, so that a closed pipe is an error.
  func write(_ text: String) throws(Failure) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { systemWrite(rawValue, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        var request = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      } else if errno != EINTR {
        throw Failure(stream: self, code: errno)
      }
    }
  }
}

/// `write(2)`, which `StandardStream.write` would hide.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
