/// Leaves out the byte order mark that a stream may start with.
struct StreamStart: Sendable {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// How much of the mark has come; nil behind the start.
  private var matched: Int? = 0

  /// Returns the index behind what belongs to a mark.
  ///
  /// - Parameter line: gets the bytes of earlier pieces that looked like a mark and are none.
  mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>, holding line: inout [UInt8]) -> Int {
    guard var count = matched else { return 0 }
    var position = 0
    while position < bytes.count, count < Self.mark.count {
      guard bytes[position] == Self.mark[count] else {
        line += Self.mark[..<count]
        matched = nil
        return position
      }
      position += 1
      count += 1
    }
    matched = count == Self.mark.count ? nil : count
    return position
  }
}

extension UInt8 {
  static var lineFeed: UInt8 { 0x0A }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  static var colon: UInt8 { 0x3A }
}

extension UnsafeBufferPointer<UInt8> {
  /// The index of the next carriage return or line feed, or the end.
  func endOfLine(from start: Int) -> Int {
    var position = start
    while position < count, self[position] != .lineFeed, self[position] != .carriageReturn {
      position += 1
    }
    return position
  }

  /// Whether these are the bytes of a text.
  func spells(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for position in 0..<count where self[position] != text.utf8Start[position] { return false }
    return true
  }
}
