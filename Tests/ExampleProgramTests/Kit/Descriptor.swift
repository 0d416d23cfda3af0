import ChildProcess
import Foundation
import Synchronization

/// An open file that is closed once, at the latest when nothing holds it any more.
///
/// Programs that are started do not inherit it.
final class Descriptor: Sendable {
  let number: Int32
  private let isOpen = Atomic(true)

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close()
  }

  func close() {
    if isOpen.exchange(false, ordering: .sequentiallyConsistent) { _ = systemClose(number) }
  }

  /// Writes all bytes, or as many as somebody reads.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while isOpen.load(ordering: .sequentiallyConsistent), !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// The next bytes, none at the end.
  ///
  /// The end of a terminal is an error to read.
  func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while isOpen.load(ordering: .sequentiallyConsistent) {
      let count = bytes.withUnsafeMutableBytes { systemRead(number, $0.baseAddress, $0.count) }
      if count >= 0 { return Array(bytes[..<count]) }
      if errno != EINTR { break }
    }
    return []
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

/// A pipe of which programs that are started inherit no end.
struct PrivatePipe {
  let readEnd: Descriptor
  let writeEnd: Descriptor

  init() throws(Launch.Failed) {
    // A write to a program that has ended is to be an error, not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard child_process_open_pipe(&ends) == 0 else { throw Launch.Failed(call: "a pipe") }
    readEnd = Descriptor(ends[0])
    writeEnd = Descriptor(ends[1])
  }
}
