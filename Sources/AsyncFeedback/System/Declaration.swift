/// What a feedback is called in reports, and where it is declared.
public struct Declaration: Sendable, Hashable, CustomStringConvertible {
  /// The name that was given, else the function that declares the feedback, else its trigger's word.
  public let name: String
  /// The file in the form `Module/File.swift`.
  public let fileID: String
  /// The line of the declaration.
  public let line: Int

  /// The name and the place: `search (App/Search.swift:24)`.
  public var description: String { "\(name) (\(fileID):\(line))" }

  @usableFromInline
  package init(name: String?, word: String, function: String, fileID: String, line: Int) {
    // `feedbacks()` itself names nothing, a function that makes one feedback does.
    let function = function.prefix { $0 != "(" }
    self.name = name ?? (function == "feedbacks" ? word : String(function))
    self.fileID = fileID
    self.line = line
  }
}
