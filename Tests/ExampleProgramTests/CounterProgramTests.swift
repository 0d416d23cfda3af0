import Testing

extension ExampleProgramTests {
  @Suite("counter")
  struct CounterProgramTests {
    @Test func countsAndCheers() async throws {
      let outcome = try await run("counter", script: "+\n+\n")
      #expect(
        outcome
          == Outcome(
            output: """
              count=1
              count=2
              count=3 message="multiple of 3!!"

              """))
    }

    @Test func saysItsStateBeforeAnythingIsAsked() async throws {
      #expect(try await run("counter", script: "") == Outcome(output: "count=1\n"))
    }

    @Test func answersEachLineWithOneLine() async throws {
      let outcome = try await run(
        "counter",
        script: """
          -
          set -9
          plus
          set
          set 1 2
          + 1
          set 92233720368547758080

          set 4
          """)
      #expect(
        outcome.output == """
          count=1
          count=0 message="multiple of 3!!"
          count=-9 message="multiple of 3!!"
          count=4

          """)
      #expect(
        outcome.errors == """
          counter: line 3: unknown command "plus"; accepted: +, -, set N
          counter: line 4: malformed command "set": "set" needs a whole number behind it; \
          accepted: +, -, set N
          counter: line 5: malformed command "set 1 2": "1 2" is not a whole number \
          from -9223372036854775808 to 9223372036854775807; accepted: +, -, set N
          counter: line 6: malformed command "+ 1": "+" takes nothing behind it; \
          accepted: +, -, set N
          counter: line 7: malformed command "set 92233720368547758080": "92233720368547758080" \
          is not a whole number from -9223372036854775808 to 9223372036854775807; \
          accepted: +, -, set N

          """)
      #expect(outcome.ending == .status(1))
    }

    @Test func refusesToCountBeyondTheNumbers() async throws {
      let outcome = try await run(
        "counter", script: "set 9223372036854775807\n+\nset -9223372036854775808\n-\n")
      #expect(
        outcome
          == Outcome(
            output: """
              count=1
              count=9223372036854775807
              count=-9223372036854775808

              """,
            errors: """
              counter: line 2: "+" refused: the count is as large as it can be; use - or set N
              counter: line 4: "-" refused: the count is as small as it can be; use + or set N

              """,
            ending: .status(1)))
    }

    @Test func takesLinesOfWindowsBlankOnesAndALastOneWithoutABreak() async throws {
      let outcome = try await run("counter", script: "+\r\n\r\n \t\n  +  \nset 5 \r\n-")
      #expect(
        outcome
          == Outcome(
            output: """
              count=1
              count=2
              count=3 message="multiple of 3!!"
              count=5
              count=4

              """))
    }

    @Test func answersAtOnce() async throws {
      let child = try Child("counter")
      #expect(await child.output.line() == "count=1")
      child.write("+\n")
      #expect(await child.output.line() == "count=2")
      child.write("x\n")
      #expect(
        await child.errors.line()
          == "counter: line 2: unknown command \"x\"; accepted: +, -, set N")
      child.write("se")
      child.write("t 7\n")
      #expect(await child.output.line() == "count=7")
      child.closeInput()
      #expect(await child.end() == .status(1))
    }

    @Test func refusesWhatIsNotText() async throws {
      let child = try Child("counter")
      child.write([0xFF, 0xFE, 0x0A] + Array("+\n".utf8))
      child.closeInput()
      #expect(await child.output.rest() == "count=1\ncount=2\n")
      #expect(
        await child.errors.rest() == "counter: line 1: not UTF-8; accepted: +, -, set N\n")
      #expect(await child.end() == .status(1))
    }

    @Test func quotesWhatItDoesNotKnowInOneShortLine() async throws {
      let long = String(repeating: "ab", count: 500_000)
      let outcome = try await run("counter", script: "\u{1B}[2J\"\\\n\(long)\n+\n")
      #expect(outcome.output == "count=1\ncount=2\n")
      #expect(
        outcome.errors == """
          counter: line 1: unknown command "\\u{1B}[2J\\"\\\\"; accepted: +, -, set N
          counter: line 2: unknown command "\(long.prefix(60))…"; accepted: +, -, set N

          """)
    }

    @Test func keepsUpWithALongScript() async throws {
      let outcome = try await run("counter", script: String(repeating: "+\n-\n", count: 1_000))
      #expect(outcome.output.split(separator: "\n").count == 2_001)
      #expect(outcome.output.hasSuffix("count=2\ncount=1\n"))
      #expect(outcome.ending == .status(0))
    }

    @Test(arguments: [
      (["--fast"], "unknown argument \"--fast\""), (["5"], "unknown argument \"5\""),
    ])
    func refusesArgumentsItDoesNotKnow(arguments: [String], reason: String) async throws {
      let outcome = try await run("counter", arguments, script: "+\n")
      #expect(
        outcome
          == Outcome(
            output: "", errors: "counter: \(reason); usage: counter\n", ending: .status(2)))
    }
  }
}
