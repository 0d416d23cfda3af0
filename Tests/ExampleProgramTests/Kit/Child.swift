import Dispatch
import Foundation

/// An example program that runs as a process of its own, behind pipes or on a terminal.
///
/// Foundation's `Process` cannot give a program a controlling terminal, without which Ctrl-C is a
/// byte like any other.
final class Child: Sendable {
  enum Ending: Equatable {
    case status(Int32)
    case signal(Int32)
  }

  /// What the program prints; on a terminal both streams are one.
  let output: Output
  let errors: Output
  let process: pid_t

  private let ending: Task<Ending, Never>
  private let input: Descriptor
  private let writing = DispatchQueue(label: "child's input")

  convenience init(
    _ program: String, _ arguments: [String] = [], folder: String = "/",
    environment: [String: String] = [:], redirection: String? = nil, outputIsRead: Bool = true
  ) throws {
    let (input, output, errors) = (try PrivatePipe(), try PrivatePipe(), try PrivatePipe())
    if !outputIsRead { output.readEnd.close() }
    try self.init(
      Launch(
        program, arguments, folder: folder, environment: environment, redirection: redirection),
      files: .pipes(input.readEnd, output.writeEnd, errors.writeEnd),
      input: input.writeEnd, output: Output(output.readEnd), errors: Output(errors.readEnd))
  }

  convenience init(
    _ program: String, _ arguments: [String] = [], folder: String = "/",
    environment: [String: String] = [:], on terminal: PseudoTerminal
  ) throws {
    let output = Output(terminal.controller)
    try self.init(
      Launch(program, arguments, folder: folder, environment: environment),
      files: .terminal(terminal.path), input: terminal.controller, output: output, errors: output)
  }

  private init(
    _ launch: Launch, files: Launch.Files, input: Descriptor, output: Output, errors: Output
  ) throws {
    let process = try launch.start(files)
    self.process = process
    self.input = input
    self.output = output
    self.errors = errors
    ending = Task.detached {
      await onThread("child's end") {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let number = status & 0x7F
        return number == 0 ? .status(status >> 8 & 0xFF) : .signal(number)
      }
    }
  }

  /// Gives the program something to read, in the order of the calls.
  ///
  /// What it no longer takes is lost.
  func write(_ text: String) {
    write([UInt8](text.utf8))
  }

  func write(_ bytes: [UInt8]) {
    writing.async { [input] in input.write(bytes) }
  }

  /// Ends the program's input behind what was written.
  func closeInput() {
    writing.async { [input] in input.close() }
  }

  func send(signal: Int32) {
    kill(process, signal)
  }

  /// Waits until a signal stops the program, and returns which.
  func stop() async -> Int32 {
    await onThread("child's stop") { [process] in
      var status: Int32 = 0
      while waitpid(process, &status, WUNTRACED) < 0, errno == EINTR {}
      return status >> 8 & 0xFF
    }
  }

  /// Waits for the end of the program.
  func end() async -> Ending {
    await ending.value
  }
}

/// Runs a blocking call on a thread of its own.
func onThread<Value: Sendable>(_ label: String, _ call: @escaping @Sendable () -> Value) async
  -> Value
{
  await withCheckedContinuation { continuation in
    DispatchQueue(label: label).async { continuation.resume(returning: call()) }
  }
}

/// What a program did with a script.
struct Outcome: Equatable {
  var output: String
  var errors = ""
  var ending = Child.Ending.status(0)
}

/// Runs a program with a script on its standard input until it ends.
func run(
  _ program: String, _ arguments: [String] = [], folder: String = "/",
  redirection: String? = nil, script: String
) async throws -> Outcome {
  let child = try Child(program, arguments, folder: folder, redirection: redirection)
  child.write(script)
  child.closeInput()
  async let output = child.output.rest()
  async let errors = child.errors.rest()
  return await Outcome(output: output, errors: errors, ending: child.end())
}
