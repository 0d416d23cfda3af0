import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The address of the attributes the terminal had before, where a crash handler finds them.
///
/// 0 while there are none. They are never freed.
private let original = Atomic<UInt>(0)

/// Whether the terminal understands what shows its cursor again.
private let hasHiddenCursor = Atomic<Bool>(false)

private func originalAttributes() -> UnsafeMutablePointer<termios>? {
  UnsafeMutablePointer(bitPattern: original.load(ordering: .sequentiallyConsistent))
}

/// A terminal that reports each key at once and does not show it.
///
/// However the program ends, the terminal gets its attributes back: `leave` is for every orderly
/// way; a trap restores them in its signal handler. Only SIGKILL leaves no chance.
struct RawMode: Sendable {
  /// Nil where standard input is not a terminal.
  ///
  /// - Parameter hidingCursor: Whether the cursor, which is to be hidden, has to be shown again.
  init?(hidingCursor: Bool) {
    var attributes = termios()
    guard tcgetattr(STDIN_FILENO, &attributes) == 0 else { return nil }
    let kept = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    kept.initialize(to: attributes)
    original.store(UInt(bitPattern: kept), ordering: .sequentiallyConsistent)
    hasHiddenCursor.store(hidingCursor, ordering: .sequentiallyConsistent)
    for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
      signal(number) { number in
        restore()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    enter()
  }

  func enter() {
    guard let kept = originalAttributes() else { return }
    var raw = kept.pointee
    // ISIG stays: Ctrl-C and Ctrl-Z are signals, as they are when somebody else sends them.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
  }

  func leave() {
    restore()
  }
}

/// Gives the terminal its attributes and its cursor back.
///
/// Safe in a signal handler.
private func restore() {
  guard let kept = originalAttributes() else { return }
  tcsetattr(STDIN_FILENO, TCSADRAIN, kept)
  guard hasHiddenCursor.load(ordering: .sequentiallyConsistent) else { return }
  let cursor: StaticString = "\u{1B}[?25h\u{1B}[?7h"
  _ = write(STDOUT_FILENO, cursor.utf8Start, cursor.utf8CodeUnitCount)
}
