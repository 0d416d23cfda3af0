import Foundation
import LoopbackServer
import Testing

extension ExampleProgramTests {
  @Suite("ticker")
  struct TickerProgramTests {
    private func ticker(_ arguments: String..., script: String) async throws -> Outcome {
      try await run("ticker", arguments, script: script)
    }

    @Test func followsItsBoardAsAScriptSays() async throws {
      let outcome = try await ticker(
        "--teams", "3", "--rows", "2",
        script: "burst 1000\npause\nburst 500\nrows 3\nresume\nburst 1\n")
      #expect(
        outcome
          == Outcome(
            output: """
              phase=live teams=3 received=3 coalesced=0 dropped=0 restarts=0 reconnects=0 \
              leaders="Castle Rovers 0, Harbour Rovers 0"
              phase=live teams=3 received=1003 coalesced=997 dropped=0 restarts=0 reconnects=0 \
              leaders="Harbour Rovers 691, Castle Rovers 665"
              phase=paused teams=3 received=1003 coalesced=997 dropped=0 restarts=0 reconnects=0 \
              leaders="Harbour Rovers 691, Castle Rovers 665"
              phase=paused teams=3 received=1003 coalesced=997 dropped=0 restarts=0 reconnects=0 \
              leaders="Harbour Rovers 691, Castle Rovers 665"
              phase=paused teams=3 received=1003 coalesced=997 dropped=0 restarts=0 reconnects=0 \
              leaders="Harbour Rovers 691, Castle Rovers 665, Mill Rovers 607"
              phase=live teams=3 received=1006 coalesced=997 dropped=0 restarts=1 reconnects=0 \
              leaders="Harbour Rovers 1011, Castle Rovers 1002, Mill Rovers 937"
              phase=live teams=3 received=1007 coalesced=997 dropped=0 restarts=1 reconnects=0 \
              leaders="Harbour Rovers 1011, Castle Rovers 1003, Mill Rovers 937"

              """))
    }

    @Test func aBurstCostsNoMoreThanATeamAScore() async throws {
      let outcome = try await ticker("--teams", "1", script: "burst 100000\n")
      let line = outcome.output.split(separator: "\n").last ?? ""
      #expect(line.hasPrefix("phase=live teams=1 received=100001 coalesced=99999 dropped=0"))
    }

    @Test func refusesWhatMakesNoSense() async throws {
      let outcome = try await ticker(
        "--rows", "0", script: "resume\nburst\nburst 0\nrows -1\npause 2\nstop\npause\npause\n")
      #expect(
        outcome
          == Outcome(
            output: """
              phase=live teams=20 received=20 coalesced=0 dropped=0 restarts=0 reconnects=0 leaders=""
              phase=paused teams=20 received=20 coalesced=0 dropped=0 restarts=0 reconnects=0 leaders=""

              """,
            errors: """
              ticker: line 1: "resume" refused: the scores are followed; use pause
              ticker: line 2: malformed command "burst": "burst" needs a whole number behind it; \
              accepted: burst N, await N, pause, resume, rows N
              ticker: line 3: malformed command "burst 0": 0 is not a whole number from 1 to \
              1000000; accepted: burst N, await N, pause, resume, rows N
              ticker: line 4: malformed command "rows -1": -1 is not a whole number from 0 to \
              1000000; accepted: burst N, await N, pause, resume, rows N
              ticker: line 5: malformed command "pause 2": "pause" takes nothing behind it; \
              accepted: burst N, await N, pause, resume, rows N
              ticker: line 6: unknown command "stop"; accepted: burst N, await N, pause, resume, rows N
              ticker: line 8: "pause" refused: nothing is followed now; use resume

              """,
            ending: .status(1)))
    }

    @Test func goesOnWhereTheServerLeft() async throws {
      let server = try ScriptedServer(scripts: [
        { exchange in
          exchange.open()
          exchange.send("retry: 1\n")
          for number in 1...3 { exchange.send(Self.event(number)) }
          exchange.send("id: 4\nevent: score\ndata: {\"team\":")
        },
        { $0.socket.close() },
        { exchange in
          exchange.open()
          for number in 4...6 { exchange.send(Self.event(number)) }
          exchange.waitForDeparture()
        },
      ])
      let outcome = try await ticker(
        "--url", "\(server.url)", "--rows", "2", script: "await 6\nburst 1\n")
      #expect(
        outcome.output.hasSuffix(
          """
           restarts=0 reconnects=1 leaders="Team 0 6, Team 1 5"

          """))
      #expect(outcome.output.contains("phase=live teams=2 received=6 "))
      #expect(
        outcome.errors
          == """
          ticker: line 2: "burst 1" refused: the server decides when there are scores; use await N

          """)
      #expect(server.requests.all.map(\.lastEventID) == [nil, "3", "3"])
    }

    @Test func goesOnBehindThePauseWithTheScoreThatWasShownLast() async throws {
      let server = try ScriptedServer(scripts: [
        { exchange in
          exchange.open()
          exchange.send(Self.event(1) + Self.event(2))
          exchange.waitForDeparture()
        },
        { exchange in
          exchange.open()
          exchange.send(Self.event(3))
          exchange.waitForDeparture()
        },
      ])
      let outcome = try await ticker(
        "--url", "\(server.url)", script: "await 2\npause\nresume\nawait 3\n")
      #expect(outcome.output.contains("phase=live teams=2 received=3 "))
      #expect(outcome.output.contains(" restarts=1 reconnects=0 "))
      #expect(server.requests.all.map(\.lastEventID) == [nil, "2"])
      #expect(outcome.ending == .status(0))
    }

    @Test(arguments: [
      (404, "", "The server answered with status 404"),
      (200, "Content-Type: text/html", "text/html"),
    ])
    func saysWhatIsWrongWithAServer(status: Int, header: String, text: String) async throws {
      let server = try ScriptedServer { _, exchange in
        exchange.answer(status, header.isEmpty ? [] : [header], body: "no")
      }
      let outcome = try await ticker("--url", "\(server.url)", script: "resume\n")
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == 2, "it can be tried again")
      for line in lines {
        #expect(line.hasPrefix("phase=failed teams=0 "))
        #expect(line.contains(text))
      }
    }

    @Test func aScoreThatCannotBeReadIsAnError() async throws {
      let server = try ScriptedServer(scripts: [
        { exchange in
          exchange.open()
          exchange.send("event: other\ndata: 1\n\n" + Self.event(1))
          exchange.send("id: 2\nevent: score\ndata: {\"team\": 2}\n\n")
          exchange.waitForDeparture()
        }
      ])
      let outcome = try await ticker("--url", "\(server.url)", script: "await 9\n")
      let line = outcome.output.split(separator: "\n").last ?? ""
      #expect(line.hasPrefix("phase=failed teams=1 received=1 "))
      #expect(line.hasSuffix(#" error="event 2 is not a score: {\"team\": 2}""#))
    }

    @Test func whatIsAwaitedInVainIsSaidToBeLate() async throws {
      let outcome = try await ticker(
        "--patience", "0.2", "--rows", "0", script: "await 21\nawait 20\n")
      let lines = outcome.output.split(separator: "\n").map { $0.contains(" late=yes ") }
      #expect(lines == [false, true, false])
    }

    @Test func showsMovingScoresOnATerminal() async throws {
      let terminal = try PseudoTerminal()
      let child = try Child("ticker", environment: ["NO_COLOR": "1"], on: terminal)
      var counts: [Int] = []
      func readUntil(_ isEnough: (Int) -> Bool) async {
        while await child.output.text(through: "received ") != nil,
          let number = await child.output.text(through: " ").flatMap({ Int($0.dropLast()) })
        {
          counts.append(number)
          if isEnough(number) { return }
        }
        Issue.record("the ticker has ended; it had received \(counts)")
      }
      // The board changes by itself.
      await readUntil { $0 > 400 }
      child.write("b")
      await readUntil { $0 > 100_000 }
      child.write("p")
      #expect(await child.output.text(through: "p resume") != nil)
      child.write("q")
      #expect(await child.end() == .status(0))
      #expect(counts == counts.sorted())
      #expect(terminal.isCooked)
    }

    /// A score of one of two teams, which has as many points as the event has a number.
    private static func event(_ number: Int) -> String {
      "id: \(number)\nevent: score\ndata: {\"team\": \"Team \(number % 2)\", \"points\": \(number)}\n\n"
    }
  }
}
