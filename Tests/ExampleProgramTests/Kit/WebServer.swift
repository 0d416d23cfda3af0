import Dispatch
import Foundation
import Synchronization

/// An HTTP server on the loopback address that answers each request as a test says.
///
/// It serves one connection at a time, in the order they come, and closes each after its answer.
final class WebServer: Sendable {
  /// What is done with one request.
  enum Answer: Sendable {
    /// A whole answer.
    case status(Int, String)
    /// A head that promises `length` bytes and a body that is shorter, then the end.
    case partial(String, length: Int)
    /// A head, and a body that never comes while the client waits.
    case silence
    /// Bytes that are not HTTP.
    case raw(String)
    /// The end, before any answer.
    case hangUp
  }

  /// The address of the collection.
  let address: String
  private let listener: Descriptor

  /// - Parameter answer: is given the path and the query of the request.
  init(_ answer: @escaping @Sendable (String) -> Answer) throws {
    let (listener, port) = try Self.listen()
    self.listener = listener
    address = "http://127.0.0.1:\(port)/posts"
    DispatchQueue(label: "web server").async {
      while true {
        let number = accept(listener.number, nil, nil)
        if number < 0 {
          if errno == EINTR || errno == ECONNABORTED { continue }
          return
        }
        let connection = Descriptor(number)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        if let path = Self.requestedPath(connection) {
          Self.send(answer(path), over: connection)
        }
        connection.close()
      }
    }
  }

  deinit {
    // Wakes the thread that waits for a connection, which closing alone does not.
    shutdown(listener.number, Int32(SHUT_RDWR))
  }

  /// A port on which nobody listens.
  static func refusedPort() throws -> Int {
    try listen().port
  }

  private static func listen() throws(Launch.Failed) -> (listener: Descriptor, port: Int) {
    #if canImport(Darwin)
      let listener = Descriptor(socket(AF_INET, SOCK_STREAM, 0))
    #else
      let listener = Descriptor(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    #endif
    _ = fcntl(listener.number, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        Foundation.bind(listener.number, pointer, size) == 0
          && Foundation.listen(listener.number, 16) == 0
          && getsockname(listener.number, pointer, &size) == 0
      }
    }
    guard isListening else { throw Launch.Failed(call: "listening") }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Reads a request up to the empty line behind its head.
  private static func requestedPath(_ connection: Descriptor) -> String? {
    var bytes: [UInt8] = []
    while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      let more = connection.read()
      if more.isEmpty { return nil }
      bytes += more
    }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 2)
    return words.count == 3 ? String(words[1]) : nil
  }

  private static func send(_ answer: Answer, over connection: Descriptor) {
    switch answer {
    case .status(let status, let body):
      connection.write(head(status, length: body.utf8.count) + [UInt8](body.utf8))
    case .partial(let body, let length):
      connection.write(head(200, length: length) + [UInt8](body.utf8))
    case .silence:
      connection.write(head(200, length: 100))
      // Nothing more comes from the client but its end, when it has had enough.
      _ = connection.read()
    case .raw(let text): connection.write([UInt8](text.utf8))
    case .hangUp: break
    }
  }

  private static func head(_ status: Int, length: Int) -> [UInt8] {
    let lines = [
      "HTTP/1.1 \(status) Answer", "Content-Type: application/json", "Content-Length: \(length)",
      "Connection: close", "", "",
    ]
    return [UInt8](lines.joined(separator: "\r\n").utf8)
  }
}

/// Answers that are given one after the other.
final class Answers: Sendable {
  private let answers: [WebServer.Answer]
  private let count = Atomic(0)

  init(_ answers: [WebServer.Answer]) {
    self.answers = answers
  }

  /// The next one, and when none is left, the end of the connection.
  func next() -> WebServer.Answer {
    let index = count.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
    return index < answers.count ? answers[index] : .hangUp
  }
}
