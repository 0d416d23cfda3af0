import LoopbackServer
import Synchronization

/// An HTTP server on the loopback address that answers each request as a test says.
///
/// It closes each connection after its answer.
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
  private let server: ScriptedServer

  /// - Parameter answer: is given the path and the query of the request.
  init(_ answer: @escaping @Sendable (String) -> Answer) throws {
    server = try ScriptedServer { _, exchange in
      Self.send(answer(exchange.request.path), over: exchange)
    }
    address = "http://127.0.0.1:\(server.port)/posts"
  }

  /// A port on which nobody listens, nor can while the socket is open.
  static func refusedPort() throws -> (socket: Socket, port: Int) {
    try Socket.listening(isDeaf: true)
  }

  private static func send(_ answer: Answer, over exchange: Exchange) {
    switch answer {
    case .status(let status, let body):
      exchange.answer(status, ["Content-Type: application/json"], body: body)
    case .partial(let body, let length): exchange.send(head(length: length) + body)
    case .silence:
      exchange.send(head(length: 100))
      exchange.waitForDeparture()
    case .raw(let text): exchange.send(text)
    case .hangUp: break
    }
  }

  /// The head of an answer whose body is to be that long.
  private static func head(length: Int) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n"
      + "Connection: close\r\n\r\n"
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
