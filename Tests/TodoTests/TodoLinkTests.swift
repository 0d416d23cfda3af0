import Foundation
import Testing
import TodoSystem

/// What a symbolic link at the path of the list leads to, and what becomes of both.
@Suite final class TodoLinkTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "todos-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func names(in name: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: false)
  }

  private func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path(name), withDestinationPath: destination)
  }

  private func destination(_ name: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: path(name))
  }

  @Test(arguments: [
    "real.json", "ABSOLUTE", "second.json", "../FOLDER/real.json", "here/real.json",
  ])
  func aListIsSavedWhereTheLinkLeads(destination: String) async throws {
    try link("second.json", to: "real.json")
    try link("here", to: ".")
    let destination =
      destination
      .replacing("ABSOLUTE", with: path("real.json"))
      .replacing("FOLDER", with: folder.lastPathComponent)
    try link("link.json", to: destination)
    try await TodoFile(path: path("real.json")).save(TodoList(["a"]))
    let file = TodoFile(path: path("link.json"))
    #expect(file.initial == TodoList(["a"]))
    try await file.save(TodoList(["a", "b"]))
    #expect(try self.destination("link.json") == destination)
    #expect(try self.destination("second.json") == "real.json")
    #expect(TodoFile(path: path("real.json")).initial == TodoList(["a", "b"]))
    #expect(try names() == ["here", "link.json", "real.json", "second.json"])
  }

  @Test func whatIsNoListIsKeptBesideTheFileTheLinkLeadsTo() async throws {
    try makeFolder("far")
    try write("{ precious", to: "far/real.json")
    try write("older", to: "far/real.json.unreadable-1")
    try link("link.json", to: "far/real.json")
    let file = TodoFile(path: path("link.json"))
    #expect(
      file.notice == """
        \(path("link.json")) is not a list of todos; \
        it is kept as \(path("far/real.json.unreadable-2")), and a new list begins
        """)
    try await file.save(TodoList(["a"]))
    #expect(try text("far/real.json.unreadable-1") == "older")
    #expect(try text("far/real.json.unreadable-2") == "{ precious")
    #expect(try destination("link.json") == "far/real.json")
    #expect(TodoFile(path: path("far/real.json")).initial == TodoList(["a"]))
    #expect(try names() == ["far", "link.json"])
  }

  @Test func aLinkToNothingLeadsToTheNewList() async throws {
    try makeFolder("far")
    try link("link.json", to: "second.json")
    try link("second.json", to: "far/real.json")
    let file = TodoFile(path: path("link.json"))
    #expect(file.initial == TodoList())
    #expect(file.notice == nil)
    try await file.save(TodoList(["a"]))
    #expect(try destination("link.json") == "second.json")
    #expect(try destination("second.json") == "far/real.json")
    #expect(TodoFile(path: path("far/real.json")).initial == TodoList(["a"]))
  }

  @Test func aFailureNamesTheLinkAndWhereItLeads() async throws {
    try link("link.json", to: "far/real.json")
    let file = TodoFile(path: path("link.json"))
    let error = await #expect(throws: (any Error).self) { try await file.save(TodoList(["a"])) }
    #expect(
      error.map { "\($0)" } == """
        cannot write \(path("link.json")) (a link to \(path("far/real.json"))): \
        No such file or directory
        """)
    #expect(try destination("link.json") == "far/real.json")
    try makeFolder("far")
    try await file.save(TodoList(["a"]))
    #expect(try names(in: "far") == ["real.json"])
  }

  @Test(arguments: ["link.json", "second.json"])
  func aLoopOfLinksIsNotReplaced(destination: String) async throws {
    try link("link.json", to: destination)
    if destination != "link.json" { try link(destination, to: "link.json") }
    let file = TodoFile(path: path("link.json"))
    let error = await #expect(throws: (any Error).self) { try await file.save(TodoList(["a"])) }
    #expect(
      error.map { "\($0)" } == """
        cannot read \(path("link.json")): Too many levels of symbolic links; \
        it is not overwritten: move it away, or use another --file
        """)
    #expect(try self.destination("link.json") == destination)
    try FileManager.default.removeItem(atPath: path("link.json"))
    try await file.save(TodoList(["a"]))
    #expect(TodoFile(path: path("link.json")).initial == TodoList(["a"]))
  }

  #if os(Linux)
    @Test func aLinkToANameThatIsNoTextIsNotReplaced() async throws {
      let name = [CChar(bitPattern: 0xFF), 0]
      #expect(symlink(name, path("link.json")) == 0)
      let file = TodoFile(path: path("link.json"))
      await #expect(throws: (any Error).self) { try await file.save(TodoList(["a"])) }
      #expect(try names() == ["link.json"])
      var attributes = stat()
      #expect(lstat(path("link.json"), &attributes) == 0)
      #expect(attributes.st_mode & S_IFMT == S_IFLNK)
    }
  #endif

  @Test func whatStandsInTheWayMayGoAtEitherEndOfTheLink() async throws {
    try makeFolder("far")
    try link("link.json", to: "far")
    let (first, second) = (TodoFile(path: path("link.json")), TodoFile(path: path("link.json")))
    await #expect(throws: (any Error).self) { try await first.save(TodoList(["a"])) }
    await #expect(throws: (any Error).self) { try await second.save(TodoList(["b"])) }
    try FileManager.default.removeItem(atPath: path("far"))
    try await first.save(TodoList(["a"]))
    #expect(try destination("link.json") == "far")
    #expect(TodoFile(path: path("far")).initial == TodoList(["a"]))
    // A list that was never read is in the way too.
    await #expect(throws: (any Error).self) { try await second.save(TodoList(["b"])) }
    try FileManager.default.removeItem(atPath: path("link.json"))
    try await second.save(TodoList(["b"]))
    #expect(TodoFile(path: path("link.json")).initial == TodoList(["b"]))
    #expect(TodoFile(path: path("far")).initial == TodoList(["a"]))
  }
}
