import Foundation
import Testing

extension ExampleProgramTests {
  @Suite("todo")
  struct TodoProgramTests {
    private let folder: Folder

    init() throws {
      folder = try Folder()
    }

    private func todo(_ script: String, file: String = "todos.json") async throws -> Outcome {
      try await run("todo", ["--file", file], folder: folder.path, script: script)
    }

    @Test func keepsAListOfTodos() async throws {
      let outcome = try await todo(
        """
        type Wake up
        add
        type  say "hi" \\ 👋\u{20}
        add
        done 2
        filter open
        filter done
        undone 2
        filter all
        delete 1
        type Sleep
        add

        """)
      #expect(
        outcome
          == Outcome(
            output: #"""
              filter=all input="" add=off todos=[]
              filter=all input="Wake up" add=on todos=[]
              filter=all input="" add=off todos=[1:open:"Wake up"]
              filter=all input=" say \"hi\" \\ 👋 " add=on todos=[1:open:"Wake up"]
              filter=all input="" add=off todos=[1:open:"Wake up", 2:open:"say \"hi\" \\ 👋"]
              filter=all input="" add=off todos=[1:open:"Wake up", 2:done:"say \"hi\" \\ 👋"]
              filter=open input="" add=off todos=[1:open:"Wake up"]
              filter=done input="" add=off todos=[2:done:"say \"hi\" \\ 👋"]
              filter=done input="" add=off todos=[]
              filter=all input="" add=off todos=[1:open:"Wake up", 2:open:"say \"hi\" \\ 👋"]
              filter=all input="" add=off todos=[2:open:"say \"hi\" \\ 👋"]
              filter=all input="Sleep" add=on todos=[2:open:"say \"hi\" \\ 👋"]
              filter=all input="" add=off todos=[2:open:"say \"hi\" \\ 👋", 3:open:"Sleep"]

              """#))
    }

    @Test func refusesWhatCannotBeDone() async throws {
      let long = String(repeating: "é", count: 41)
      let outcome = try await todo(
        "add\ntype   \nadd\ntype \(long)\nadd\ndone 1\ndelete x\nfilter new\nadd it\nbuy milk\ntype"
      )
      #expect(
        outcome
          == Outcome(
            output: """
              filter=all input="" add=off todos=[]
              filter=all input="  " add=off todos=[]
              filter=all input="\(long)" add=off todos=[]
              filter=all input="" add=off todos=[]

              """,
            errors: """
              todo: line 1: "add" refused: the input must hold 1 to 40 characters; \
              change it with type TEXT
              todo: line 3: "add" refused: the input must hold 1 to 40 characters; \
              change it with type TEXT
              todo: line 5: "add" refused: the input must hold 1 to 40 characters; \
              change it with type TEXT
              todo: line 6: "done 1" refused: there is no todo 1; filter all shows every number
              todo: line 7: malformed command "delete x": "x" is not a whole number \
              from -9223372036854775808 to 9223372036854775807; accepted: type TEXT, add, done N, \
              undone N, delete N, filter all|open|done
              todo: line 8: malformed command "filter new": a filter is all, open or done; \
              accepted: type TEXT, add, done N, undone N, delete N, filter all|open|done
              todo: line 9: malformed command "add it": "add" takes nothing behind it; \
              accepted: type TEXT, add, done N, undone N, delete N, filter all|open|done
              todo: line 10: unknown command "buy milk"; \
              accepted: type TEXT, add, done N, undone N, delete N, filter all|open|done

              """,
            ending: .status(1)))
    }

    @Test func takesUpWhereItLeftOff() async throws {
      _ = try await todo("type a\nadd\ntype b\nadd\ndone 1\ndelete 2\n")
      let outcome = try await todo("type c\nadd\n")
      #expect(
        outcome.output == """
          filter=all input="" add=off todos=[1:done:"a"]
          filter=all input="c" add=on todos=[1:done:"a"]
          filter=all input="" add=off todos=[1:done:"a", 3:open:"c"]

          """)
      #expect(try folder.names == ["todos.json"])
    }

    @Test func usesTodosJSONInTheWorkingFolder() async throws {
      _ = try await run("todo", folder: folder.path, script: "type a\nadd\n")
      #expect(try folder.names == ["todos.json"])
    }

    @Test func writesNothingWhereNothingChanges() async throws {
      _ = try await todo("filter open\ntype a\n")
      #expect(try folder.names == [])
    }

    @Test(arguments: [1, 2, 3, 50, 111, 199])
    func theFileIsWholeWhereverTheProgramIsKilled(afterLine count: Int) async throws {
      let child = try Child("todo", folder: folder.path)
      child.write((1...100).map { "type item \($0)\nadd\n" }.joined())
      var said = 0
      for _ in 0..<count { said = itemCount(await child.output.line()) ?? said }
      child.send(signal: SIGKILL)
      #expect(await child.end() == .signal(SIGKILL))
      while let line = await child.output.line() { said = itemCount(line) ?? said }

      let outcome = try await todo("filter all\ntype next\nadd\n")
      #expect(outcome.errors == "")
      let lines = outcome.output.split(separator: "\n")
      let kept = try #require(itemCount(lines.first.map(String.init)))
      #expect(kept >= said)
      let items = (0..<kept).map { "\($0 + 1):open:\"item \($0 + 1)\"" }
      #expect(
        lines.first.map(String.init)
          == "filter=all input=\"\" add=off todos=[\(items.joined(separator: ", "))]")
      // What the killed one was writing is gone.
      #expect(try folder.names == ["todos.json"])
    }

    /// The number of todos a line shows.
    private func itemCount(_ line: String?) -> Int? {
      line.map { $0.split(separator: ":open:").count - 1 }
    }

    @Test func keepsAsideWhatIsNoListAndNeverOverwritesIt() async throws {
      for number in 1...2 {
        try folder.write("{ \(number)", to: "todos.json")
        let outcome = try await todo("type \(number)\nadd\n")
        #expect(
          outcome.errors == """
            todo: todos.json is not a list of todos; it is kept as todos.json.unreadable-\(number), \
            and a new list begins

            """)
        #expect(outcome.output.hasSuffix("todos=[1:open:\"\(number)\"]\n"))
        #expect(outcome.ending == .status(0))
      }
      #expect(
        try folder.names == ["todos.json", "todos.json.unreadable-1", "todos.json.unreadable-2"])
      #expect(try folder.text("todos.json.unreadable-1") == "{ 1")
      #expect(try folder.text("todos.json.unreadable-2") == "{ 2")
    }

    @Test func keepsWhatALinkLeadsToAndTheLink() async throws {
      try folder.write("{ precious", to: "real.json")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link.json"), withDestinationPath: "real.json")
      let outcome = try await todo("type a\nadd\n", file: "link.json")
      #expect(
        outcome.errors == """
          todo: link.json is not a list of todos; it is kept as real.json.unreadable-1, \
          and a new list begins

          """)
      #expect(outcome.ending == .status(0))
      #expect(try folder.names == ["link.json", "real.json", "real.json.unreadable-1"])
      #expect(try folder.text("real.json.unreadable-1") == "{ precious")
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.json"))
          == "real.json")
      #expect(try await todo("").output.contains("todos=[1:open:\"a\"]") == false)
      #expect(try await todo("", file: "real.json").output.contains("todos=[1:open:\"a\"]"))
    }

    @Test func showsThatItCannotSaveAndLosesNothingTyped() async throws {
      let child = try Child("todo", ["--file", "later/todos.json"], folder: folder.path)
      child.write("type a\nadd\n")
      let lines = [await child.output.line(), await child.output.line(), await child.output.line()]
      #expect(
        lines == [
          #"filter=all input="" add=off todos=[]"#,
          #"filter=all input="a" add=on todos=[]"#,
          #"filter=all input="" add=off todos=[1:open:"a"] "#
            + #"error="cannot write later/todos.json: No such file or directory""#,
        ])
      try FileManager.default.createDirectory(
        atPath: folder.path("later"), withIntermediateDirectories: false)
      child.write("done 1\n")
      #expect(await child.output.line() == #"filter=all input="" add=off todos=[1:done:"a"]"#)
      child.closeInput()
      #expect(await child.end() == .status(0))
      #expect(try folder.text("later/todos.json").contains("\"isDone\" : true"))
    }

    @Test func saysWhatIsNotSavedWhenItEnds() async throws {
      let outcome = try await todo("type a\nadd\n", file: "nowhere/todos.json")
      #expect(
        outcome.errors == """
          todo: the last changes are not saved: \
          cannot write nowhere/todos.json: No such file or directory

          """)
      #expect(outcome.ending == .status(1))
    }

    @Test func neverOverwritesWhatItCannotRead() async throws {
      try FileManager.default.createDirectory(
        atPath: folder.path("todos.json"), withIntermediateDirectories: false)
      let outcome = try await todo("type a\nadd\n")
      let error = """
        cannot read todos.json: Is a directory; it is not overwritten: \
        move it away, or use another --file
        """
      #expect(
        outcome
          == Outcome(
            output: """
              filter=all input="" add=off todos=[] error="\(error)"
              filter=all input="a" add=on todos=[] error="\(error)"
              filter=all input="" add=off todos=[1:open:"a"] error="\(error)"

              """,
            errors: "todo: the last changes are not saved: \(error)\n",
            ending: .status(1)))
      #expect(try folder.names == ["todos.json"])
    }

    @Test func refusesArgumentsThatNameNoFile() async throws {
      let outcome = try await todo("", file: "")
      #expect(
        outcome
          == Outcome(
            output: "", errors: "todo: --file \"\" is not a path; usage: todo [--file PATH]\n",
            ending: .status(2)))
    }
  }
}
