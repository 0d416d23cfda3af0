/// The lines of a script on standard input.
///
/// Lines end with LF or CRLF, the last one perhaps with nothing; empty ones count and are passed
/// over. A line may be as long as memory allows.
struct ScriptReader {
  enum Item: Equatable {
    case line(number: Int, text: String)
    /// A line that is not UTF-8.
    case unreadable(number: Int)
    case ended
    case failed(String)
  }

  private let source = InputSource()
  private var buffer: [UInt8] = []
  /// Where the next line begins in the buffer.
  private var start = 0
  /// How far the buffer has been searched for a line break.
  private var searched = 0
  private var number = 0
  private var end: Item?

  mutating func next() async -> Item {
    while true {
      if let item = takeLine() { return item }
      if let end { return end }
      switch await source.next() {
      case .bytes(let bytes): append(bytes)
      case .failed(let reason): finish(with: .failed(reason))
      case .ended, .signal: finish(with: .ended)
      }
    }
  }

  private mutating func append(_ bytes: [UInt8]) {
    buffer.removeFirst(start)
    searched -= start
    start = 0
    buffer += bytes
  }

  private mutating func finish(with item: Item) {
    end = item
    if start < buffer.count { buffer.append(UInt8(ascii: "\n")) }
  }

  /// Takes the next line that is not empty from the buffer.
  private mutating func takeLine() -> Item? {
    while let lineBreak = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      var line = buffer[start..<lineBreak]
      start = lineBreak + 1
      searched = start
      number += 1
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard let text = String(validating: line, as: UTF8.self) else {
        return .unreadable(number: number)
      }
      if !text.allSatisfy(\.isWhitespace) { return .line(number: number, text: text) }
    }
    searched = buffer.count
    return nil
  }
}
