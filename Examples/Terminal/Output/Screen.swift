#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The part of the terminal a program draws on: as many lines as its picture has, redrawn in place
/// below what was there before.
struct Screen {
  private let inColour: Bool
  /// A dumb terminal cannot go back up, so each new picture follows the one before.
  let inPlace: Bool
  private var shown: [String] = []

  init() {
    inPlace = environment("TERM") != "dumb"
    inColour = inPlace && environment("NO_COLOR").isEmpty
  }

  /// Draws the frame unless it looks the same as the one on the terminal.
  mutating func draw(_ frame: Frame) throws(StandardStream.Failure) {
    let lines = frame.lines(rows: Self.rows - 1).map { $0.rendered(inColour: inColour) }
    guard lines != shown else { return }
    try StandardStream.output.write(inPlace ? redrawing(lines) : appending(lines))
    shown = lines
  }

  /// Forgets what was drawn, since it may have been overwritten.
  mutating func invalidate() {
    shown = []
  }

  /// Clears each line behind its end, and everything below the last one.
  ///
  /// Without the automatic
  /// wrap (`?7l`) the terminal cuts long lines itself, as wide as it knows its characters to be.
  private func redrawing(_ lines: [String]) -> String {
    let home = shown.isEmpty ? "\r" : "\r\u{1B}[\(shown.count)A"
    let body = lines.map { "\($0)\u{1B}[K\r\n" }.joined()
    return "\u{1B}[?25l\u{1B}[?7l\(home)\(body)\u{1B}[J\u{1B}[?7h"
  }

  private func appending(_ lines: [String]) -> String {
    lines.map { "\($0)\r\n" }.joined()
  }

  private static var rows: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 1 else { return 24 }
    return Int(size.ws_row)
  }
}

/// The value of an environment variable, empty where it is not set.
func environment(_ name: String) -> String {
  getenv(name).map { String(cString: $0) } ?? ""
}
