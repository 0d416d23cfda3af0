import Testing

extension ExampleProgramTests {
  /// What all programs do alike with their arguments.
  @Suite("Arguments")
  struct ArgumentTests {
    /// The programs with what they say about themselves.
    static let programs = [
      ("counter", usage: "counter", commands: "+, -, set N"),
      (
        "todo", usage: "todo [--file PATH]",
        commands: "type TEXT, add, done N, undone N, delete N, filter all|open|done"
      ),
      (
        "paging",
        usage: """
        paging [--limit N] [--timeout SECONDS] \
        [--url BASE | --seed N --latency MILLISECONDS --failure-rate 0...1]
        """,
        commands: "load, more, retry, refresh"
      ),
    ]

    @Test(arguments: programs, ["--help", "-h"])
    func helpIsPrinted(program: (name: String, usage: String, commands: String), option: String)
      async throws
    {
      let outcome = try await run(program.name, [option], script: "")
      #expect(
        outcome
          == Outcome(output: "usage: \(program.usage)\ncommands: \(program.commands)\n"))
    }

    @Test(
      arguments: programs,
      [["--help", "--bad"], ["--bad", "--help"], ["-h", "--bad", "--worse"], ["--bad", "-h"]])
    func whatIsBadBesideHelpIsNamed(
      program: (name: String, usage: String, commands: String), arguments: [String]
    ) async throws {
      let outcome = try await run(program.name, arguments, script: "")
      #expect(
        outcome
          == Outcome(
            output: "",
            errors: "\(program.name): unknown argument \"--bad\"; usage: \(program.usage)\n",
            ending: .status(2)))
    }

    @Test func helpIsPrintedAmongOtherArgumentsAndNothingIsDone() async throws {
      let folder = try Folder()
      try folder.write("{", to: "list.json")
      for arguments in [["--help", "--file", "list.json"], ["--file=list.json", "--help"]] {
        let outcome = try await run("todo", arguments, folder: folder.path, script: "type a\nadd\n")
        #expect(outcome.output.hasPrefix("usage: todo"))
        #expect(outcome.ending == .status(0))
      }
      #expect(try folder.names == ["list.json"])
    }

    @Test func aValueMayLookLikeHelp() async throws {
      let folder = try Folder()
      let outcome = try await run(
        "todo", ["--file", "--help"], folder: folder.path, script: "type a\nadd\n")
      #expect(outcome.ending == .status(0))
      #expect(try folder.names == ["--help"])
    }

    @Test func anOptionWithoutItsValueIsNamedBesideHelp() async throws {
      let outcome = try await run("todo", ["--help", "--file"], script: "")
      #expect(
        outcome
          == Outcome(
            output: "",
            errors: "todo: --file needs a value behind it; usage: todo [--file PATH]\n",
            ending: .status(2)))
    }
  }
}
