import Foundation
import Testing

extension ExampleProgramTests {
  /// Standard streams that are closed, full or abandoned.
  @Suite("Standard streams")
  struct StreamTests {
    static let programs = ["counter", "todo", "paging"]

    /// Outputs that take nothing, and why.
    static var outputs: [(redirection: String, reason: String)] {
      #if os(Linux)
        [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")]
      #else
        [(">&-", "Bad file descriptor")]
      #endif
    }

    private let folder: Folder

    init() throws {
      folder = try Folder()
    }

    private func error(_ program: String, _ reason: String) -> String {
      "\(program): cannot write standard output: \(reason); "
        + "give it a terminal, a pipe, or a file with room\n"
    }

    @Test(arguments: programs, outputs)
    func anOutputThatTakesNothingIsSaid(
      program: String, output: (redirection: String, reason: String)
    ) async throws {
      for arguments in [[], ["--help"]] {
        let outcome = try await run(
          program, arguments, folder: folder.path, redirection: output.redirection, script: "")
        #expect(
          outcome
            == Outcome(output: "", errors: error(program, output.reason), ending: .status(1)))
      }
    }

    @Test(arguments: programs)
    func aClosedInputIsSaid(program: String) async throws {
      let outcome = try await run(program, folder: folder.path, redirection: "<&-", script: "")
      #expect(
        outcome.errors
          == "\(program): cannot read standard input: Bad file descriptor; "
          + "give it a terminal, a pipe, or a file\n")
      #expect(outcome.ending == .status(1))
    }

    /// A file that is opened gets the lowest free number, and what is printed to that ends in it.
    @Test(arguments: [">&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func nothingIsPrintedIntoAListInsteadOfAClosedOutput(redirection: String) async throws {
      try folder.write("{", to: "todos.json")
      let outcome = try await run(
        "todo", folder: folder.path, redirection: redirection, script: "type a\nadd\n")
      #expect(outcome.ending == .status(1))
      #expect(try folder.names == ["todos.json.unreadable-1"])
      #expect(try folder.text("todos.json.unreadable-1") == "{")
    }

    @Test(arguments: programs)
    func aClosedStandardErrorTakesNothingWithIt(program: String) async throws {
      let outcome = try await run(
        program, folder: folder.path, redirection: "2>&-", script: "no command\n")
      #expect(outcome.output.split(separator: "\n").count == 1)
      #expect(outcome.ending == .status(1))
    }

    @Test(arguments: programs)
    func anOutputThatNobodyReadsIsNoReasonToComplain(program: String) async throws {
      let child = try Child(program, folder: folder.path, outputIsRead: false)
      child.write("+\n+\n")
      #expect(await child.end() == .status(1))
      #expect(await child.errors.rest() == "")
    }

    @Test func anAnswerThatNobodyWillReadIsNotWaitedFor() async throws {
      let child = try Child("paging", ["--latency", "3600000", "--timeout", "3600"])
      child.write("load\n")
      #expect(await child.output.line() == "phase=idle posts=0")
      await child.output.close()
      #expect(await child.end() == .status(1))
      #expect(await child.errors.rest() == "")
    }

    @Test func aServerThatIsSilentHoldsNobodyUpWhoseReaderIsGone() async throws {
      let (requests, arrived) = AsyncStream.makeStream(of: String.self)
      let server = try WebServer { path in
        arrived.yield(path)
        return .silence
      }
      let child = try Child("paging", ["--url", server.address, "--timeout", "3600"])
      child.write("load\n")
      #expect(await child.output.line() == "phase=idle posts=0")
      for await _ in requests { break }
      await child.output.close()
      #expect(await child.end() == .status(1))
    }

    @Test func whatWasAnsweredIsEnoughWhenNothingMoreIsAsked() async throws {
      let child = try Child("counter")
      child.write("+\n")
      #expect(await child.output.line() == "count=1")
      #expect(await child.output.line() == "count=2")
      await child.output.close()
      child.closeInput()
      #expect(await child.end() == .status(0))
    }
  }
}
