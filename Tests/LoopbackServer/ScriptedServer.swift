package import Foundation

/// An HTTP server on the loopback address that treats each connection as a script says.
///
/// Each connection has a thread of its own, so a script may block. It is closed when its script is over.
package final class ScriptedServer: Sendable {
  /// What is done with one connection, by the number of the connection.
  package typealias Script = @Sendable (_ number: Int, _ exchange: Exchange) -> Void

  package let port: Int
  /// The requests, in the order their heads were read.
  package let requests = Entries<Request>()
  /// The numbers of the connections that the client has closed, as far as their scripts waited for it.
  package let departures = Entries<Int>()
  private let listener: Socket
  private let sockets = Entries<Socket>()

  package init(_ script: @escaping Script) throws {
    let (listener, port) = try Socket.listening()
    self.listener = listener
    self.port = port
    Thread.detachNewThread { [requests, departures, sockets] in
      var number = 0
      while true {
        let file = accept(listener.number, nil, nil)
        if file < 0 {
          if errno == EINTR || errno == ECONNABORTED { continue }
          return
        }
        let socket = Socket(file)
        sockets.note(socket)
        let current = number
        number += 1
        Thread.detachNewThread {
          if let request = Request(from: socket) {
            requests.note(request)
            script(
              current,
              Exchange(
                number: current, request: request, socket: socket, departures: departures))
          }
          socket.close()
        }
      }
    }
  }

  /// A server that treats its first connection as the first script says, and so on.
  ///
  /// Connections that come later are told not to come back.
  package convenience init(scripts: [@Sendable (Exchange) -> Void]) throws {
    try self.init { number, exchange in
      if number < scripts.count { scripts[number](exchange) } else { exchange.answer(204) }
    }
  }

  deinit {
    stop()
  }

  package var url: URL { address("events") }

  package func address(_ path: String) -> URL {
    // The text is an address.
    URL(string: "http://127.0.0.1:\(port)/\(path)") ?? URL(fileURLWithPath: path)
  }

  /// Ends all connections, and takes no more.
  package func stop() {
    listener.shutDown()
    for socket in sockets.all { socket.shutDown() }
  }
}

/// What a client has asked for.
package struct Request: Sendable {
  package let method: String
  package let path: String
  /// By the name in small letters.
  package let headers: [String: String]
  package let body: String

  /// Reads a request, nil if the client has gone before it was complete.
  package init?(from socket: Socket) {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while bytes.firstRange(of: end) == nil {
      let more = socket.read()
      if more.isEmpty { return nil }
      bytes += more
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let range = text.range(of: "\r\n\r\n") else { return nil }
    let lines = text[..<range.lowerBound].components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    var body = Array(text[range.upperBound...].utf8)
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while body.count < length {
      let more = socket.read()
      if more.isEmpty { return nil }
      body += more
    }
    method = String(words[0])
    path = String(words[1])
    self.headers = headers
    self.body = String(decoding: body, as: UTF8.self)
  }

  package var lastEventID: String? { headers["last-event-id"] }
}

/// The server's side of one connection.
package struct Exchange: Sendable {
  package let number: Int
  package let request: Request
  package let socket: Socket
  package let departures: Entries<Int>

  /// Sends the head of an event stream.
  package func open(_ type: String = "text/event-stream") {
    send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n")
  }

  /// Sends a whole answer.
  package func answer(_ status: Int, _ headers: [String] = [], body: String = "") {
    let length = status == 204 ? [] : ["Content-Length: \(body.utf8.count)"]
    let lines = ["HTTP/1.1 \(status) Answer", "Connection: close"] + length + headers + ["", body]
    send(lines.joined(separator: "\r\n"))
  }

  package func send(_ text: String) {
    socket.write(text.utf8)
  }

  /// Waits until the client closes.
  package func waitForDeparture() {
    while !socket.read().isEmpty {}
    departures.note(number)
  }
}

/// A gate at which a script waits for the test.
package final class Barrier: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func open() {
    semaphore.signal()
  }

  /// Waits for one `open()`, for as long as the waits of the tests may take at most: a script that went on
  /// before would be another one.
  package func pass() {
    _ = semaphore.wait(timeout: .now() + 300)
  }
}
