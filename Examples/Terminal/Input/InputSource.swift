import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input, read on a thread of its own, only when asked and a piece at a time: neither the
/// main actor nor the pool ever waits for a person, and nothing piles up unread.
struct InputSource: Sendable {
  enum Input: Equatable, Sendable {
    case bytes([UInt8])
    /// A signal arrived, where signals are watched.
    case signal(Int32)
    case ended
    /// Reading failed, with what the system says about it.
    case failed(String)
  }

  private let queue = DispatchQueue(label: "standard input")
  private let signals: SignalPipe?

  init(watching signals: SignalPipe? = nil) {
    self.signals = signals
  }

  func next() async -> Input {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: wait()) }
    }
  }

  private func wait() -> Input {
    guard let signals else { return Self.read() }
    var requests = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&requests, nfds_t(requests.count), -1) < 0 {}
    return requests[1].revents != 0 ? .signal(signals.take()) : Self.read()
  }

  private static func read() -> Input {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = bytes.withUnsafeMutableBytes {
        systemRead(STDIN_FILENO, $0.baseAddress, $0.count)
      }
      switch count {
      case 1...: return .bytes(Array(bytes[..<count]))
      case 0: return .ended
      case _ where errno == EINTR: continue
      case _ where errno == EAGAIN:
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = poll(&request, 1, -1)
      default: return .failed(String(cString: strerror(errno)))
      }
    }
  }
}

/// `read(2)`, which `InputSource.read` would hide.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}
