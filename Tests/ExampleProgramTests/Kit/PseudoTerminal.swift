import ChildProcess
import Foundation

/// A terminal whose keys and screen the test holds.
final class PseudoTerminal: Sendable {
  /// The side of keyboard and screen.
  let controller: Descriptor
  /// The path of the side a program is started on.
  let path: String
  /// Held open by the test, so that the attributes can be read when the program has ended.
  private let terminal: Descriptor

  init() throws(Launch.Failed) {
    signal(SIGPIPE, SIG_IGN)
    var name = [CChar](repeating: 0, count: 256)
    let number = child_process_open_terminal(&name, name.count)
    guard number >= 0 else { throw Launch.Failed(call: "a terminal") }
    controller = Descriptor(number)
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    terminal = Descriptor(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC))
  }

  /// Whether the terminal shows keys as they are typed and hands lines on as a whole.
  var isCooked: Bool {
    var attributes = termios()
    guard tcgetattr(terminal.number, &attributes) == 0 else { return false }
    let flags = tcflag_t(ICANON | ECHO | IEXTEN)
    return attributes.c_lflag & flags == flags
  }

  /// Every byte of the attributes, to be compared.
  var attributes: [UInt8] {
    var attributes = termios()
    guard tcgetattr(terminal.number, &attributes) == 0 else { return [] }
    return withUnsafeBytes(of: attributes) { Array($0) }
  }

  /// Leaves the terminal to the program, so that its output ends when that has ended.
  func closeTestsSide() {
    terminal.close()
  }

  /// Takes the terminal away, as a closed window does.
  func hangUp() {
    terminal.close()
    controller.close()
  }
}
