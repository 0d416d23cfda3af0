import Foundation

/// A list of todos in a file, for one program at a time.
///
/// Each save replaces the file as a whole and returns once that is on the disk, so whenever the
/// program is killed, the file holds one saved list or the one before. What could not be read is
/// never overwritten: a file that is no list of todos is moved aside, and as long as there is
/// something at the path that cannot be read at all, every save fails.
///
/// A symbolic link stays one: what is said here of the file happens where the link leads.
///
/// An actor, so that the system waiting for it does not stand still while the disk works.
package actor TodoFile {
  /// What the file held in the beginning; empty where there was none.
  package nonisolated let initial: TodoList
  /// What the reader should know about the beginning.
  package nonisolated let notice: String?

  private let path: String
  /// What the file holds now.
  private var held: TodoList
  /// How lists are written, or why there is something at the path that was not read.
  private var replacement: Result<FileReplacement, FileError>

  /// Reads the file.
  package init(path: String) {
    self.path = path
    var list = TodoList()
    var notice: String?
    do throws(FileError) {
      let replacement = try FileReplacement(path: path)
      replacement.removeLeftovers()
      if let bytes = try readFile(path) {
        if let kept = try? JSONDecoder().decode(TodoList.self, from: Data(bytes)) {
          list = kept
        } else {
          let aside = try moveAside(replacement.target)
          notice = "\(path) is not a list of todos; it is kept as \(aside), and a new list begins"
        }
      }
      self.replacement = .success(replacement)
    } catch {
      replacement = .failure(error)
    }
    initial = list
    held = list
    self.notice = notice
  }

  /// Replaces the file.
  ///
  /// Returns when the list is durable; does nothing if it already is.
  package func save(_ list: TodoList) throws {
    let replacement = try unobstructed()
    guard list != held else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try replacement.write([UInt8](encoder.encode(list)) + [UInt8(ascii: "\n")])
    held = list
  }

  /// How lists are written, now that nothing is in the way.
  private func unobstructed() throws(FileError) -> FileReplacement {
    switch replacement {
    case .success(let replacement): return replacement
    case .failure(let obstacle):
      guard let replacement = try? FileReplacement(path: path), isAbsent(replacement.target) else {
        throw FileError("\(obstacle); it is not overwritten: move it away, or use another --file")
      }
      self.replacement = .success(replacement)
      return replacement
    }
  }
}
