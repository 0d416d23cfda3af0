import AsyncFeedback

extension Terminal {
  /// Performs the script on standard input.
  ///
  /// The state is printed first. Each line then gets one answer, once the loop is quiet: the state
  /// on standard output, or, if it was refused, a message on standard error.
  static func runScript(of program: some Program) async -> Ending {
    let running = program.context.start()
    defer { running.stop() }
    let script = Task { await perform(Script(program)) }
    // Ends the wait for an answer that nobody will read, which may be long, and with nobody left to
    // end the program. What was answered before is not touched.
    StandardStream.output.whenWithoutReader { script.cancel() }
    let ending = await script.value
    await program.finish()
    return ending
  }

  private static func perform<Main: Program>(_ script: Script<Main>) async -> Ending {
    var script = script
    do throws(StandardStream.Failure) {
      return .status(try await script.run())
    } catch {
      return ending(of: Main.self, after: error)
    }
  }
}

@MainActor
private struct Script<Main: Program> {
  private let program: Main
  private var reader = ScriptReader()
  private var status: Int32 = 0

  init(_ program: Main) {
    self.program = program
  }

  mutating func run() async throws(StandardStream.Failure) -> Int32 {
    try await report()
    while true {
      switch await reader.next() {
      case .line(let number, let text): try await perform(text, number)
      case .unreadable(let number): refuse("line \(number): not UTF-8; accepted: \(Main.accepted)")
      case .failed(let reason):
        refuse("cannot read standard input: \(reason); give it a terminal, a pipe, or a file")
        return status
      case .ended: return status
      }
    }
  }

  private mutating func perform(_ text: String, _ number: Int) async throws(StandardStream.Failure)
  {
    do throws(Refusal) {
      try program.perform(Command(text))
    } catch {
      refuse("line \(number): \(error.message(for: text, accepted: Main.accepted))")
      return
    }
    try await report()
  }

  /// Prints the state once the loop is quiet, or the reader is gone, which the output then says.
  private func report() async throws(StandardStream.Failure) {
    await program.context.quiet()
    try StandardStream.output.write(program.line(of: program.context[\.self]) + "\n")
  }

  private mutating func refuse(_ message: String) {
    Terminal.complain("\(Main.name): \(message)")
    status = 1
  }
}
