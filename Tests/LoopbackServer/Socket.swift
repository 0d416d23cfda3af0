import Foundation
import Synchronization

/// An open socket that is closed once, at the latest when nothing holds it any more.
package final class Socket: Sendable {
  package let number: Int32
  private let isOpen = Atomic(true)

  package init(_ number: Int32) {
    self.number = number
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    close()
  }

  package func close() {
    if isOpen.exchange(false, ordering: .sequentiallyConsistent) { _ = systemClose(number) }
  }

  /// Ends both directions, which wakes a thread that waits for either.
  package func shutDown() {
    if isOpen.load(ordering: .sequentiallyConsistent) { _ = shutdown(number, Int32(SHUT_RDWR)) }
  }

  /// Closes so that the other side sees an error instead of an end.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }

  /// Writes all bytes, and returns how many were taken before the other side went or took none for long.
  ///
  /// - Parameter patience: the seconds after which a write that does not go on is given up; zero for never.
  @discardableResult
  package func write(_ bytes: some Collection<UInt8>, patience: Int = 0) -> Int {
    var time = timeval(tv_sec: .init(patience), tv_usec: 0)
    setsockopt(
      number, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout.size(ofValue: time)))
    let all = Array(bytes)
    var written = 0
    while written < all.count {
      let count = all[written...].withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { break }
      written += count
    }
    return written
  }

  /// The next bytes, none at the end.
  package func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = bytes.withUnsafeMutableBytes { systemRead(number, $0.baseAddress, $0.count) }
      if count >= 0 { return Array(bytes[..<count]) }
      if errno != EINTR { return [] }
    }
  }

  /// A socket that holds a free port of the loopback address.
  ///
  /// - Parameter isDeaf: whether it refuses all connections instead of listening.
  package static func listening(isDeaf: Bool = false) throws -> (socket: Socket, port: Int) {
    // A write to a client that has gone is to be an error, not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Darwin)
      let listener = Socket(socket(AF_INET, SOCK_STREAM, 0))
    #else
      let listener = Socket(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener.number, pointer, size) == 0
          && (isDeaf || listen(listener.number, 64) == 0)
          && getsockname(listener.number, pointer, &size) == 0
      }
    }
    guard isListening else { throw CocoaError(.featureUnsupported) }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }
}

// The calls that the methods of the same names would hide.
private func systemClose(_ file: Int32) -> Int32 { close(file) }
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
