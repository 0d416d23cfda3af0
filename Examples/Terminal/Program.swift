package import AsyncFeedback

/// A program with one context, shown on a terminal or driven by a script of lines.
///
/// A program says what its state looks like and what its commands and keys mean; `Terminal` reads,
/// draws, waits and ends. All of it happens on the main actor, where the context lives.
@MainActor
package protocol Program: AnyObject {
  associatedtype System: SystemProtocol

  /// The name in front of every message, such as `counter`.
  static var name: String { get }
  /// How the program is started, in one line.
  static var usage: String { get }
  /// The commands a script may hold, in one line.
  static var accepted: String { get }

  var context: Context<System> { get }

  /// Reads the arguments; what it refuses ends the program with status 2.
  init(_ arguments: Arguments) throws(Refusal)

  /// Performs one line of a script.
  func perform(_ command: Command) throws(Refusal)

  /// The state as one line, without its line break.
  func line(of state: System.State) -> String

  /// Handles a key, and says whether it means anything here; `q` ends the program otherwise.
  func press(_ key: Key) throws(Refusal) -> Bool

  /// The state as a picture.
  func frame(of state: System.State) -> Frame

  /// Waits for what must not be lost when the program ends.
  func finish() async

  /// What could not be kept when the program ended, to be said on standard error.
  ///
  /// The program then ends with status 1.
  func loss(from state: System.State) -> String?
}

extension Program {
  package func finish() async {}
  package func loss(from state: System.State) -> String? { nil }
}
