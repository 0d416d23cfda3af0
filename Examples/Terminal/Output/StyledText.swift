/// A line of text of which parts may be emphasised.
package struct StyledText: Equatable, Sendable, ExpressibleByStringInterpolation {
  package enum Style: String, Sendable {
    case plain = "0"
    case bold = "1"
    case faint = "2"
    case reversed = "7"
    case red = "31"
    case green = "32"
    case cyan = "36"
  }

  private struct Part: Equatable, Sendable {
    var text: String
    var style: Style
  }

  private var parts: [Part]

  package init(_ text: String, _ style: Style = .plain) {
    parts = [Part(text: text, style: style)]
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.parts += right.parts
    return sum
  }

  /// What is sent to the terminal.
  ///
  /// Control characters within the text, which may come from a file or a server, are shown as `·` and
  /// never obeyed.
  func rendered(inColour: Bool) -> String {
    parts.map { part in
      let text = String(
        String.UnicodeScalarView(part.text.unicodeScalars.map { $0.breaksLines ? "·" : $0 }))
      guard inColour, part.style != .plain, !text.isEmpty else { return text }
      return "\u{1B}[\(part.style.rawValue)m\(text)\u{1B}[0m"
    }.joined()
  }
}
