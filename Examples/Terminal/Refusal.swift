/// Why a command or an argument was not taken, and what would be.
package enum Refusal: Error, Equatable, Sendable {
  /// No command of this name.
  case unknown
  /// A known command with something wrong behind it.
  case malformed(String)
  /// A command that makes no sense now. The reason says what does.
  case refused(String)

  /// The message for a line of a script, in one line: what, why, and what is accepted.
  func message(for line: String, accepted: String) -> String {
    let command = quoted(shortened(line))
    return switch self {
    case .unknown: "unknown command \(command); accepted: \(accepted)"
    case .malformed(let reason): "malformed command \(command): \(reason); accepted: \(accepted)"
    case .refused(let reason): "\(command) refused: \(reason)"
    }
  }

  /// The bare reason, for a person who has just pressed a key.
  var reason: String {
    switch self {
    case .unknown: "unknown"
    case .malformed(let reason), .refused(let reason): reason
    }
  }
}
