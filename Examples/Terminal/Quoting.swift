/// The text between double quotes, in one line: quotes, backslashes, control characters and line
/// separators are escaped as in a Swift literal.
package func quoted(_ text: some StringProtocol) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _ where scalar.breaksLines:
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// The beginning of a text too long to be repeated in a message.
func shortened(_ text: some StringProtocol) -> String {
  let limit = 60
  let start = text.prefix(limit)
  return start.endIndex == text.endIndex ? String(start) : start + "…"
}

extension Unicode.Scalar {
  /// A control character or a line separator: what could move the cursor or split a line.
  var breaksLines: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
