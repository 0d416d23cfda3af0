import Foundation
import Testing

extension ExampleProgramTests {
  @Suite("On a terminal")
  struct TerminalTests {
    private let terminal: PseudoTerminal
    private let before: [UInt8]

    init() throws {
      terminal = try PseudoTerminal()
      before = terminal.attributes
    }

    /// Starts a program without colours, which is easier to read, and waits for its first picture.
    private func start(
      _ program: String, _ arguments: [String] = [], folder: String = "/",
      environment: [String: String] = ["NO_COLOR": "1"]
    ) async throws -> Child {
      let child = try Child(
        program, arguments, folder: folder, environment: environment, on: terminal)
      #expect(await child.output.text(through: "q quit") != nil)
      return child
    }

    /// What an ended program has printed and the test has not read.
    private func rest(of child: Child) async -> String {
      terminal.closeTestsSide()
      return await child.output.rest()
    }

    private func expectRestored() {
      #expect(terminal.isCooked)
      #expect(terminal.attributes == before)
    }

    @Test func redrawsInPlaceForEachKey() async throws {
      let child = try await start("counter")
      #expect(!terminal.isCooked)
      child.write("+")
      let picture = await child.output.text(through: "q quit")
      // Three lines up, and each cleared behind its end.
      #expect(picture?.contains("\u{1B}[3Acount  2\u{1B}[K") == true)
      child.write("\u{1B}[A")
      #expect(await child.output.text(through: "multiple of 3!!") != nil)
      child.write("q")
      #expect(await child.end() == .status(0))
      expectRestored()
      // The cursor is shown again.
      #expect(await rest(of: child).hasSuffix("\u{1B}[?25h\u{1B}[?7h"))
    }

    @Test func takesANumberThatIsTyped() async throws {
      let child = try await start("counter")
      child.write("s12x\u{7F}3\r")
      #expect(await child.output.text(through: "count  123") != nil)
      child.write("sq\r")
      #expect(await child.output.text(through: "\"q\" is not a whole number") != nil)
      child.write("q")
      #expect(await child.end() == .status(0))
      expectRestored()
    }

    @Test(arguments: ["\u{3}", "\u{1C}"])
    func isRestoredWhenAKeyInterrupts(key: String) async throws {
      let child = try await start("counter")
      child.write(key)
      #expect(await child.end() == .signal(key == "\u{3}" ? SIGINT : SIGQUIT))
      expectRestored()
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGTRAP])
    func isRestoredWhenASignalEndsTheProgram(signal: Int32) async throws {
      let child = try await start("counter")
      child.send(signal: signal)
      #expect(await child.end() == .signal(signal))
      expectRestored()
    }

    @Test func isRestoredAtTheEndOfTheInput() async throws {
      let child = try await start("counter")
      child.write("+\u{4}")
      #expect(await child.end() == .status(0))
      expectRestored()
    }

    @Test func endsWhenTheTerminalIsGone() async throws {
      let child = try await start("counter")
      terminal.hangUp()
      #expect([.signal(SIGHUP), .status(0), .status(1)].contains(await child.end()))
    }

    @Test func endsWhenTheTerminalIsGoneWhileAPageIsOnItsWay() async throws {
      let child = try await start("paging", ["--latency", "3600000", "--timeout", "3600"])
      child.write("l")
      #expect(await child.output.text(through: "loading") != nil)
      terminal.hangUp()
      #expect([.signal(SIGHUP), .status(0), .status(1)].contains(await child.end()))
    }

    @Test func endsAsFailedWhenTheLastChangeIsNotSaved() async throws {
      let folder = try Folder()
      let child = try await start("todo", ["--file", "nowhere/todos.json"], folder: folder.path)
      child.write("aa\r")
      #expect(await child.output.text(through: "cannot write nowhere/todos.json") != nil)
      child.write("\u{4}")
      #expect(await child.output.text(through: "todo: the last changes are not saved") != nil)
      #expect(await child.end() == .status(1))
      expectRestored()
    }

    @Test func isCookedWhileTheProgramIsStopped() async throws {
      let child = try await start("counter")
      child.write("\u{1A}")
      #expect(await child.output.text(through: "\u{1B}[?25h") != nil)
      #expect(await child.stop() == SIGSTOP)
      expectRestored()
      child.send(signal: SIGCONT)
      #expect(await child.output.text(through: "q quit") != nil)
      child.write("+")
      #expect(await child.output.text(through: "count  2") != nil)
      child.write("q")
      #expect(await child.end() == .status(0))
      expectRestored()
    }

    @Test func hasColoursUnlessTheyAreSwitchedOff() async throws {
      let colours = /\u{1B}\[[0-9;]*m/
      for (environment, hasColours) in [
        ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false),
        (["TERM": "dumb"], false),
      ] {
        let child = try Child("counter", environment: environment, on: terminal)
        let picture = await child.output.text(through: "q quit")
        #expect(picture?.contains(colours) == hasColours, "\(environment)")
        child.write("q")
        #expect(await child.end() == .status(0))
      }
    }

    @Test func sendsADumbTerminalNothingButText() async throws {
      let child = try await start("counter", environment: ["TERM": "dumb"])
      child.write("+")
      #expect(await child.output.text(through: "q quit")?.contains("count  2") == true)
      child.write("q")
      #expect(await child.end() == .status(0))
      #expect(await !rest(of: child).contains("\u{1B}"))
    }

    @Test func todosAreTypedSelectedAndKept() async throws {
      let folder = try Folder()
      let child = try await start("todo", folder: folder.path)
      child.write("a")
      #expect(await child.output.text(through: "new: _") != nil)
      child.write("Wäke up 👩‍👧x\u{7F}\r")
      #expect(await child.output.text(through: "[ ] Wäke up 👩‍👧") != nil)
      child.write("quit smoking\r\u{1B}")
      #expect(await child.output.text(through: "[ ] quit smoking") != nil)
      #expect(await child.output.text(through: "q quit") != nil)
      child.write("\u{1B}[B ")
      #expect(await child.output.text(through: "> [x] quit smoking") != nil)
      child.write("kd")
      #expect(await child.output.text(through: "todo  all\u{1B}[K\r\r\n> [x] quit smoking") != nil)
      child.write("q")
      #expect(await child.end() == .status(0))
      expectRestored()
      let outcome = try await run("todo", folder: folder.path, script: "")
      #expect(outcome.output == "filter=all input=\"\" add=off todos=[2:done:\"quit smoking\"]\n")
    }

    @Test func textOfAFileCannotSteerTheTerminal() async throws {
      let folder = try Folder()
      _ = try await run("todo", folder: folder.path, script: "type a\u{1B}[2Jb\nadd\n")
      let child = try Child("todo", folder: folder.path, on: terminal)
      let picture = await child.output.text(through: "q quit")
      #expect(picture?.contains("a·[2Jb") == true)
      #expect(picture?.contains("\u{1B}[2J") == false)
      child.write("\u{4}")
      #expect(await child.end() == .status(0))
    }

    @Test func postsArePagedThrough() async throws {
      let child = try await start(
        "paging", ["--limit", "3", "--latency", "0", "--failure-rate", "0"])
      child.write("l")
      #expect(await child.output.text(through: "3  My neighbour finds a garden") != nil)
      #expect(await child.output.text(through: "q quit") != nil)
      child.write("m")
      #expect(await child.output.text(through: "6  A river forgets its echo") != nil)
      child.write("jjq")
      #expect(await child.end() == .status(0))
      expectRestored()
    }
  }
}
