/// A key as a terminal reports it.
package enum Key: Equatable, Sendable {
  case character(Character)
  case enter
  case backspace
  /// Ctrl-U, which empties a line.
  case clear
  /// Ctrl-D, which ends the input.
  case end
  case escape
  case up
  case down
}

/// Turns the bytes of a terminal into keys, whatever way they were cut into pieces.
struct KeyDecoder {
  private var pending: [UInt8] = []

  /// The keys completed by these bytes.
  ///
  /// Unknown sequences and bytes that are not UTF-8 are skipped;
  /// an escape byte with nothing behind it is the Escape key.
  mutating func decode(_ bytes: [UInt8]) -> [Key] {
    pending += bytes
    var rest = pending[...]
    var keys: [Key] = []
    while let first = rest.first {
      let before = rest
      let key = first == 0x1B ? Self.sequence(&rest) : Self.character(&rest)
      // Nothing was taken: the rest of the sequence or of the character has yet to come.
      if rest.count == before.count { break }
      if let key { keys.append(key) }
    }
    pending = Array(rest)
    return keys
  }

  private static func sequence(_ rest: inout ArraySlice<UInt8>) -> Key? {
    let body = rest.dropFirst()
    guard let introducer = body.first,
      introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O")
    else {
      rest = body
      return .escape
    }
    guard let end = body.dropFirst().firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return nil
    }
    let final = body[end]
    rest = rest[(end + 1)...]
    return switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    default: nil
    }
  }

  private static func character(_ rest: inout ArraySlice<UInt8>) -> Key? {
    guard let first = rest.first else { return nil }
    switch first {
    case 0x0A, 0x0D:
      rest.removeFirst()
      return .enter
    case 0x08, 0x7F:
      rest.removeFirst()
      return .backspace
    case 0x15:
      rest.removeFirst()
      return .clear
    case 0x04:
      rest.removeFirst()
      return .end
    case ..<0x20:
      rest.removeFirst()
      return nil
    default: break
    }
    let length = first < 0x80 ? 1 : max((~first).leadingZeroBitCount, 1)
    guard length <= 4 else {
      rest.removeFirst()
      return nil
    }
    let bytes = rest.prefix(length)
    if bytes.count < length, bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else {
      rest.removeFirst()
      return nil
    }
    rest.removeFirst(length)
    return .character(character)
  }
}

extension String {
  /// Edits the text as a line of typing, and says whether the key is one that edits.
  package mutating func edit(with key: Key) -> Bool {
    switch key {
    case .character(let character): append(character)
    case .backspace: _ = popLast()
    case .clear: removeAll()
    case .enter, .end, .escape, .up, .down: return false
    }
    return true
  }
}
