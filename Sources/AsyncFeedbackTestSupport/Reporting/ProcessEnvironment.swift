#if canImport(Darwin)
  private import Darwin
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#endif

/// What the environment of the process tells the test support.
package enum ProcessEnvironment {
  /// A variable of the environment; `nil` also where it is empty.
  package static func value(of name: String) -> String? {
    // Nobody changes the environment while the tests run, and the text is copied at once.
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }
}
