/// One line of a script: a name and what follows it.
package struct Command: Sendable {
  /// The first word.
  package let name: String
  /// Everything behind the first space, untouched; empty where there is none.
  package let text: String

  package init(_ line: String) {
    let start = line.drop(while: \.isWhitespace)
    let name = start.prefix { $0 != " " && $0 != "\t" }
    self.name = String(name)
    text = String(start.dropFirst(name.count + 1))
  }

  /// The argument without the blanks around it.
  package var argument: Substring {
    let start = text.drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...end]
  }

  /// Refuses an argument where none belongs.
  package func alone() throws(Refusal) {
    guard argument.isEmpty else { throw .malformed("\(quoted(name)) takes nothing behind it") }
  }

  /// The argument as a whole number.
  package func integer() throws(Refusal) -> Int {
    guard !argument.isEmpty else {
      throw .malformed("\(quoted(name)) needs a whole number behind it")
    }
    guard let number = Int(argument) else {
      throw .malformed(
        "\(quoted(shortened(argument))) is not a whole number from \(Int.min) to \(Int.max)")
    }
    return number
  }
}
