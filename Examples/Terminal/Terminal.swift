import AsyncFeedback

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs a program: on a terminal with keys and a picture, otherwise with a line for a line.
@MainActor
package enum Terminal {
  /// Runs the program and ends the process.
  ///
  /// The status is 0; 1 if a line of the script was refused, a standard stream failed, or something
  /// could not be kept; 2 if the arguments were refused. A signal ends the process as that signal.
  package static func run<Main: Program>(_: Main.Type, options: Set<String> = []) async -> Never {
    // A closed pipe is then an error of the write that met it.
    signal(SIGPIPE, SIG_IGN)
    StandardStream.occupyClosed()
    let program: Main
    do throws(Refusal) {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), options: options)
      // Only once they are known: help must not hide a mistake.
      if arguments.askForHelp { end(explain(Main.self)) }
      program = try Main(arguments)
    } catch {
      complain("\(Main.name): \(error.reason); usage: \(Main.usage)")
      exit(2)
    }
    let ending = isInteractive ? await interact(with: program) : await runScript(of: program)
    guard let loss = program.loss(from: program.context[\.self]) else { end(ending) }
    complain("\(Main.name): \(loss)")
    if case .signal = ending { end(ending) }
    end(.status(1))
  }

  /// Whether a person sits in front of the program, and not a script.
  package static var isInteractive: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  private static func end(_ ending: Ending) -> Never {
    switch ending {
    case .status(let status): exit(status)
    case .signal(let number): die(of: number)
    }
  }

  /// Ends the process as the signal would have, had it not been caught, which is what a shell
  /// expects to see.
  private static func die(of number: Int32) -> Never {
    signal(number, SIG_DFL)
    // The threads of Dispatch block signals.
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    sigaddset(&unblocked, number)
    pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    raise(number)
    exit(128 + number)
  }

  enum Ending {
    case status(Int32)
    case signal(Int32)
  }

  /// Prints one line on standard error.
  ///
  /// Where nobody reads that, nothing is left to be done.
  package static func complain(_ line: String) {
    try? StandardStream.error.write(line + "\n")
  }

  /// Says that a stream failed, and returns how the program then ends.
  ///
  /// A reader who has gone is no failure to tell of: he has seen enough.
  static func ending<Main: Program>(of _: Main.Type, after failure: StandardStream.Failure)
    -> Ending
  {
    if !failure.isWithoutReader { complain("\(Main.name): \(failure)") }
    return .status(1)
  }

  /// Prints what the program takes, and returns the status for that.
  private static func explain<Main: Program>(_: Main.Type) -> Ending {
    do throws(StandardStream.Failure) {
      try StandardStream.output.write("usage: \(Main.usage)\ncommands: \(Main.accepted)\n")
      return .status(0)
    } catch {
      return ending(of: Main.self, after: error)
    }
  }
}
