import Foundation

/// A folder that is removed when nothing holds it any more.
final class Folder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The names in it, hidden ones too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func path(_ name: String) -> String {
    "\(path)/\(name)"
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
  }
}
