private import Testing

/// What runs the test, and so what has to hear of a failure.
///
/// It has to be decided where the test is sure to be the caller. Later it is too late: in a detached
/// task nothing tells that a test of Swift Testing is running, and an issue recorded while XCTest
/// runs the test is silently lost.
package enum TestRunner: Sendable, Equatable {
  case swiftTesting
  case xcTest
  /// No test runner that is known.
  case unknown

  /// The runner of the test that the calling task belongs to.
  package static var current: TestRunner {
    guard Test.current == nil else { return .swiftTesting }
    return hosting(arguments: CommandLine.arguments)
  }

  /// The runner that a process with these arguments was started for.
  ///
  /// XCTest tells nobody which test is running. But a process run by SwiftPM is started for one of
  /// the two, which it is told, or is named after XCTest when it is not; Xcode's is named `xctest`.
  package static func hosting(arguments: [String]) -> TestRunner {
    if let option = arguments.firstIndex(of: "--testing-library"),
      let library = arguments[option...].dropFirst().first
    {
      switch library {
      case "swift-testing": return .swiftTesting
      case "xctest": return .xcTest
      default: return .unknown
      }
    }
    return arguments.first?.hasSuffix("xctest") == true ? .xcTest : .unknown
  }
}
