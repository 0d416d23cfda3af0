import Foundation
import LoopbackServer
import Testing

extension ExampleProgramTests {
  @Suite("paging")
  struct PagingProgramTests {
    private func paging(_ arguments: String..., script: String) async throws -> Outcome {
      try await run("paging", arguments, script: script)
    }

    @Test func pagesThroughItsCatalogue() async throws {
      let outcome = try await paging(
        "--latency", "1", "--failure-rate", "0", script: "load\nmore\nrefresh\n")
      #expect(
        outcome
          == Outcome(
            output: """
              phase=idle posts=0
              phase=loaded posts=20 last="The lamp repairs a letter"
              phase=loaded posts=40 last="The lamp measures a letter"
              phase=loaded posts=20 last="The lamp repairs a letter"

              """))
    }

    @Test func comesToTheEnd() async throws {
      let outcome = try await paging(
        "--latency", "0", "--failure-rate", "0", "--limit", "300",
        script: "load\nmore\nmore\nrefresh\n")
      #expect(
        outcome
          == Outcome(
            output: """
              phase=idle posts=0
              phase=loaded posts=300 last="The lamp finds its echo"
              phase=loaded posts=500 last="The lamp finds a letter" end=yes
              phase=loaded posts=300 last="The lamp finds its echo"

              """,
            errors: """
              paging: line 3: "more" refused: all posts are loaded; use refresh

              """,
            ending: .status(1)))
    }

    @Test func refusesWhatMakesNoSenseInAPhase() async throws {
      let outcome = try await paging(
        "--latency", "0", "--failure-rate", "0",
        script: "more\nretry\nrefresh\nload\nload\nretry\nload 2\nreload\n")
      #expect(
        outcome
          == Outcome(
            output: """
              phase=idle posts=0
              phase=loaded posts=20 last="The lamp repairs a letter"

              """,
            errors: """
              paging: line 1: "more" refused: nothing is loaded yet; use load
              paging: line 2: "retry" refused: nothing is loaded yet; use load
              paging: line 3: "refresh" refused: nothing is loaded yet; use load
              paging: line 5: "load" refused: the list is loaded; use more or refresh
              paging: line 6: "retry" refused: the list is loaded; use more or refresh
              paging: line 7: malformed command "load 2": "load" takes nothing behind it; \
              accepted: load, more, retry, refresh
              paging: line 8: unknown command "reload"; accepted: load, more, retry, refresh

              """,
            ending: .status(1)))
    }

    @Test func failsTheSameWayForTheSameSeed() async throws {
      let script = "load\nretry\n" + String(repeating: "refresh\n", count: 20)
      let arguments = ["--latency", "0", "--failure-rate", "0.5", "--seed"]
      let first = try await run("paging", arguments + ["7"], script: script)
      let second = try await run("paging", arguments + ["7"], script: script)
      let other = try await run("paging", arguments + ["8"], script: script)
      #expect(first == second)
      #expect(first != other)
      #expect(first.output.contains("phase=loaded"))
      #expect(first.output.contains("error=\"the catalogue is out of order\""))
    }

    @Test func pagesAWebServer() async throws {
      let server = try WebServer { path in
        switch path {
        case "/posts?_start=0&_limit=2":
          .status(200, #"[{"id":1,"title":"one","more":null},{"id":2,"title":"t\"w\"o\n"}]"#)
        case "/posts?_start=2&_limit=2": .status(200, #"[{"id":3,"title":"three"}]"#)
        default: .status(404, path)
        }
      }
      let outcome = try await paging(
        "--url", server.address, "--limit", "2", script: "load\nmore\n")
      #expect(
        outcome
          == Outcome(
            output: #"""
              phase=idle posts=0
              phase=loaded posts=2 last="t\"w\"o\n"
              phase=loaded posts=3 last="three" end=yes

              """#))
    }

    @Test func aServerMayHaveNothing() async throws {
      let server = try WebServer { _ in .status(200, "[]") }
      let outcome = try await paging("--url", server.address, script: "load\nmore\nrefresh\n")
      #expect(outcome.output == "phase=idle posts=0\nphase=empty posts=0\nphase=empty posts=0\n")
      #expect(
        outcome.errors == "paging: line 2: \"more\" refused: there are no posts; use refresh\n")
    }

    /// What a server may do wrong, and what the state then says of it.
    static let failures: [(WebServer.Answer, String)] = [
      (.status(500, "[]"), "the server answered with status 500"),
      (.status(204, ""), "the server answered with status 204"),
      (.status(200, "[{\"id\":1"), "the server's answer is not a JSON array of posts"),
      (.status(200, "{\"id\":1}"), "the server's answer is not a JSON array of posts"),
      (
        .partial("[{\"id\":1,", length: 500),
        brokenOff("transfer closed with 491 bytes remaining to read")
      ),
      (.partial("[]", length: 500), brokenOff("transfer closed with 498 bytes remaining to read")),
      (.hangUp, brokenOff("Empty reply from server")),
    ]

    /// A broken connection is a case of its own on Apple platforms and a text elsewhere.
    private static func brokenOff(_ text: String) -> String {
      #if canImport(Darwin)
        "SERVER broke the connection off"
      #else
        "the transfer from SERVER failed: \(text)"
      #endif
    }

    @Test(arguments: failures)
    func showsWhatTheServerDoesWrongAndTriesAgain(
      answer: WebServer.Answer, error: String
    ) async throws {
      let page = #"[{"id":1,"title":"one"}]"#
      let answers = Answers([answer, .status(200, page), answer, .status(200, page)])
      let server = try WebServer { _ in answers.next() }
      let outcome = try await paging(
        "--url", server.address, "--limit", "1",
        script: "load\nretry\nmore\nretry\n")
      let host = server.address.dropFirst("http://".count).dropLast("/posts".count)
      let said = error.replacing("SERVER", with: host)
      #expect(
        outcome
          == Outcome(
            output: """
              phase=idle posts=0
              phase=failed posts=0 error="\(said)"
              phase=loaded posts=1 last="one"
              phase=failed-more posts=1 error="\(said)"
              phase=loaded posts=2 last="one"

              """))
    }

    @Test func givesAServerOnlySoMuchTime() async throws {
      let server = try WebServer { _ in .silence }
      let outcome = try await paging(
        "--url", server.address, "--timeout", "0.25", script: "load\nretry\n")
      let line = "phase=failed posts=0 error=\"no answer within 0.25 seconds\"\n"
      #expect(outcome == Outcome(output: "phase=idle posts=0\n" + line + line))
    }

    @Test func showsThatAServerRefuses() async throws {
      let (socket, port) = try WebServer.refusedPort()
      defer { socket.close() }
      let server = "127.0.0.1:\(port)"
      let outcome = try await paging("--url", "http://\(server)/posts", script: "load\nretry\n")
      let line = "phase=failed posts=0 error=\"\(server) refuses connections\"\n"
      #expect(outcome == Outcome(output: "phase=idle posts=0\n" + line + line))
    }

    @Test(arguments: [
      (["--limit", "0"], "--limit \"0\" is not a whole number from 1 to 1000"),
      (["--timeout", "-1"], "--timeout \"-1\" is not a number of seconds above 0 and up to 86400"),
      (["--timeout=nan"], "--timeout \"nan\" is not a number of seconds above 0 and up to 86400"),
      (["--seed", "x"], "--seed \"x\" is not a whole number from 0"),
      (["--latency=1.5"], "--latency \"1.5\" is not a whole number of milliseconds"),
      (["--failure-rate", "2"], "--failure-rate \"2\" is not a number from 0 to 1"),
      (["--url", "posts"], "--url \"posts\" is not an http or https address"),
      (["--url", "file:///posts"], "--url \"file:///posts\" is not an http or https address"),
      (["--url"], "--url needs a value behind it"),
      (["--seed=1", "--seed=2"], "--seed is given twice"),
    ])
    func refusesArguments(arguments: [String], reason: String) async throws {
      let outcome = try await run("paging", arguments, script: "load\n")
      #expect(
        outcome
          == Outcome(
            output: "",
            errors: """
              paging: \(reason); usage: paging [--limit N] [--timeout SECONDS] \
              [--url BASE | --seed N --latency MILLISECONDS --failure-rate 0...1]

              """,
            ending: .status(2)))
    }
  }
}
