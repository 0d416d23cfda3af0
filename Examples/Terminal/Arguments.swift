/// The options a program was started with, as `--name value` or `--name=value`.
package struct Arguments: Sendable {
  /// Whether `--help` or `-h` is among them.
  private(set) var askForHelp = false
  private var values: [String: String] = [:]

  /// Reads the arguments and refuses every option that is not among `options`.
  init(_ arguments: [String], options: Set<String>) throws(Refusal) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" {
        askForHelp = true
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard options.contains(name) else {
        throw .malformed("unknown argument \(quoted(shortened(argument)))")
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw .malformed("\(name) needs a value behind it")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw .malformed("\(name) is given twice")
      }
    }
  }

  /// The text given for an option.
  package subscript(name: String) -> String? { values[name] }

  /// The value given for an option, or `fallback` where it is absent.
  ///
  /// - Parameter kind: what the value must be, for the message: "a whole number from 1 to 100".
  package func value<Value: LosslessStringConvertible>(
    of name: String, default fallback: Value, _ kind: String, where accepts: (Value) -> Bool
  ) throws(Refusal) -> Value {
    guard let text = values[name] else { return fallback }
    guard let value = Value(text), accepts(value) else {
      throw .malformed("\(name) \(quoted(shortened(text))) is not \(kind)")
    }
    return value
  }
}
