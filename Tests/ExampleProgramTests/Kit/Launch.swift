import ChildProcess
import Foundation

/// How a program is started.
struct Launch {
  enum Files {
    /// Standard input, output and error.
    case pipes(Descriptor, Descriptor, Descriptor)
    /// The terminal with this path, which becomes the controlling one.
    case terminal(String)
  }

  struct Failed: Error {
    let call: String
    let code = errno
  }

  private let path: String
  private let arguments: [String]
  private let folder: String
  private let environment: [String: String]

  /// - Parameter redirection: What a shell does to the program's files before it, such as `>&-`.
  init(
    _ program: String, _ arguments: [String], folder: String, environment: [String: String],
    redirection: String? = nil
  ) {
    let program = Self.products + "/" + program
    path = redirection == nil ? program : "/bin/sh"
    let shell = redirection.map { ["sh", "-c", "exec \"$0\" \"$@\" \($0)"] } ?? []
    self.arguments = shell + [program] + arguments
    self.folder = folder
    // Only what the test says: the machine switches no colours off and knows no proxy.
    self.environment = ["TERM": "xterm", "SWIFT_BACKTRACE": "enable=no"]
      .merging(environment) { $1 }
  }

  /// The folder of the built programs, which is that of the test bundle.
  private static var products: String {
    #if canImport(Darwin)
      Bundle(for: Child.self).bundleURL.deletingLastPathComponent().path
    #else
      Bundle.main.bundleURL.path
    #endif
  }

  func start(_ files: Files) throws(Failed) -> pid_t {
    let process = withCStrings(arguments) { arguments in
      withCStrings(environment.map { "\($0)=\($1)" }) { environment in
        switch files {
        case .pipes(let input, let output, let errors):
          let numbers = [input.number, output.number, errors.number]
          return child_process_start(path, arguments, environment, folder, numbers, nil)
        case .terminal(let terminal):
          return child_process_start(path, arguments, environment, folder, nil, terminal)
        }
      }
    }
    guard process > 0 else { throw Failed(call: "starting \(path)") }
    return process
  }
}

/// Calls with a list of C strings that ends with a null pointer.
private func withCStrings<Value>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
) -> Value {
  let pointers = texts.map { strdup($0) }
  defer { pointers.forEach { free($0) } }
  return body(pointers + [nil])
}
