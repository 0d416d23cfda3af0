import Foundation
import Testing
import TodoSystem

@Suite final class TodoFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "todos-\(UUID())")

  private var path: String { folder.appending(path: "todos.json").path }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func write(_ text: String, to name: String = "todos.json") throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  @Test func holdsTheListThatWasSavedLast() async throws {
    let file = TodoFile(path: path)
    #expect(file.initial == TodoList())
    try await file.save(TodoList(["a"]))
    try await file.save(TodoList(["a", "\"b\"\n👩‍👧"]))
    #expect(TodoFile(path: path).initial == TodoList(["a", "\"b\"\n👩‍👧"]))
    #expect(try names() == ["todos.json"])
  }

  @Test func isNotTouchedByAListThatItHolds() async throws {
    try await TodoFile(path: path).save(TodoList(["a"]))
    let file = TodoFile(path: path)
    try FileManager.default.removeItem(atPath: path)
    try await file.save(TodoList(["a"]))
    #expect(try names() == [])
  }

  @Test func remembersWhichIDComesNext() async throws {
    var list = TodoList(["a", "b"])
    list.delete(2)
    try await TodoFile(path: path).save(list)
    var kept = TodoFile(path: path).initial
    kept.add("c")
    #expect(kept.todos.map(\.id) == [1, 3])
  }

  @Test(arguments: [
    "", "{", "[]", #"{"nextID":1}"#, #"{"nextID":0,"todos":[]}"#,
    #"{"nextID":2,"todos":[{"id":2,"title":"a","isDone":false}]}"#,
    #"{"nextID":3,"todos":[{"id":2,"title":"a","isDone":false},{"id":1,"title":"b","isDone":false}]}"#,
    #"{"nextID":2,"todos":[{"id":0,"title":"a","isDone":false}]}"#,
    #"{"nextID":2,"todos":[{"id":1,"title":"a","isDone":false}"#,
  ])
  func whatIsNoListIsKeptUnderAnotherName(text: String) async throws {
    try write(text)
    try write("older", to: "todos.json.unreadable-1")
    let file = TodoFile(path: path)
    #expect(file.initial == TodoList())
    #expect(
      file.notice == """
        \(path) is not a list of todos; it is kept as \(path).unreadable-2, and a new list begins
        """)
    try await file.save(TodoList(["a"]))
    #expect(
      try names() == ["todos.json", "todos.json.unreadable-1", "todos.json.unreadable-2"])
    #expect(
      try String(contentsOfFile: path + ".unreadable-2", encoding: .utf8) == text)
    #expect(
      try String(contentsOfFile: path + ".unreadable-1", encoding: .utf8) == "older")
  }

  @Test func savesOnceWhatWasInItsWayIsGone() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let file = TodoFile(path: path)
    await #expect(throws: (any Error).self) { try await file.save(TodoList(["a"])) }
    try write("kept", to: "todos.json/inside")
    await #expect(throws: (any Error).self) { try await file.save(TodoList(["a"])) }
    #expect(try names() == ["todos.json"])
    try FileManager.default.removeItem(atPath: path)
    try await file.save(TodoList(["a"]))
    #expect(TodoFile(path: path).initial == TodoList(["a"]))
  }

  @Test func aFailureLeavesNothingBehindAndIsNoObstacle() async throws {
    let later = folder.appending(path: "later")
    let file = TodoFile(path: later.appending(path: "todos.json").path)
    await #expect(throws: (any Error).self) { try await file.save(TodoList(["a"])) }
    try FileManager.default.createDirectory(at: later, withIntermediateDirectories: false)
    try await file.save(TodoList(["a"]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: later.path) == ["todos.json"])
  }

  @Test func aFileInThePlaceOfTheFolderIsLeftAlone() async throws {
    try write("a file", to: "folder")
    let file = TodoFile(path: folder.appending(path: "folder/todos.json").path)
    await #expect(throws: (any Error).self) { try await file.save(TodoList(["a"])) }
    #expect(try String(contentsOf: folder.appending(path: "folder"), encoding: .utf8) == "a file")
  }

  @Test func permissionsAreKept() async throws {
    try await TodoFile(path: path).save(TodoList(["a"]))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try await TodoFile(path: path).save(TodoList(["b"]))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? NSNumber == 0o640)
  }

  @Test func leftoversOfKilledWritersAreRemovedAndThoseInUseAreNot() async throws {
    try write("half a li", to: ".todos.json.saving-1-0")
    try write("in use", to: ".todos.json.saving-2-0")
    try write("another list's", to: ".other.json.saving-1-0")
    let used = try FileHandle(
      forReadingFrom: folder.appending(path: ".todos.json.saving-2-0"))
    flock(used.fileDescriptor, LOCK_EX)
    try await TodoFile(path: path).save(TodoList(["a"]))
    #expect(
      try names() == [".other.json.saving-1-0", ".todos.json.saving-2-0", "todos.json"])
    // A program that another suite has started meanwhile holds the file, too, and its lock as well until
    // that is given up.
    flock(used.fileDescriptor, LOCK_UN)
    try used.close()
    _ = TodoFile(path: path)
    #expect(try names() == [".other.json.saving-1-0", "todos.json"])
  }
}
