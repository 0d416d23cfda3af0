/// What a program prints, read on a thread of its own when the test asks.
///
/// Nothing is being read in between, so a test may close the file then.
actor Output {
  private let file: Descriptor
  private var buffer: [UInt8] = []

  init(_ file: Descriptor) {
    self.file = file
  }

  /// The next line without its break, or nil at the end.
  func line() async -> String? {
    await text(through: "\n").map { String($0.dropLast()) }
  }

  /// Everything up to and with a text, or nil if the output ends before it comes.
  func text(through text: String) async -> String? {
    let wanted = Array(text.utf8)
    while true {
      if let range = buffer.firstRange(of: wanted) {
        let found = String(decoding: buffer[..<range.upperBound], as: UTF8.self)
        buffer.removeSubrange(..<range.upperBound)
        return found
      }
      guard await readMore() else { return nil }
    }
  }

  /// Everything up to the end.
  func rest() async -> String {
    while await readMore() {}
    defer { buffer = [] }
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Reads no more, which the program can notice.
  func close() {
    file.close()
  }

  private func readMore() async -> Bool {
    let bytes = await onThread("child's output") { [file] in file.read() }
    buffer += bytes
    return !bytes.isEmpty
  }
}
