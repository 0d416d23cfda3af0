import AsyncFeedback

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Terminal {
  /// Shows the program on the terminal until `q`, Ctrl-D, a signal or the end of the input.
  static func interact<Main: Program>(with program: Main) async -> Ending {
    let signals = SignalPipe(catching: [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])
    let screen = Screen()
    guard let mode = RawMode(hidingCursor: screen.inPlace) else {
      complain("\(Main.name): cannot read the terminal: \(String(cString: strerror(errno)))")
      return .status(1)
    }
    let session = Session(program, mode, screen)
    let running = program.context.start()
    let drawing = Task { await session.drawChanges() }
    let ending = await session.readKeys(from: InputSource(watching: signals))
    drawing.cancel()
    mode.leave()
    // From here on a second Ctrl-C does not wait for anything.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    await program.finish()
    running.stop()
    return ending
  }
}

@MainActor
private final class Session<Main: Program> {
  private let program: Main
  private let mode: RawMode
  private var screen: Screen
  private var decoder = KeyDecoder()
  private var refusal: Refusal?

  init(_ program: Main, _ mode: RawMode, _ screen: Screen) {
    self.program = program
    self.mode = mode
    self.screen = screen
  }

  func drawChanges() async {
    // Where it fails, it does so again at the next key.
    for await _ in program.context.values(of: \.self) { try? draw() }
  }

  func readKeys(from source: InputSource) async -> Terminal.Ending {
    while true {
      switch await source.next() {
      case .bytes(let bytes):
        for key in decoder.decode(bytes) where !press(key) { return .status(0) }
      case .signal(SIGWINCH): screen.invalidate()
      case .signal(SIGCONT):
        mode.enter()
        screen.invalidate()
      case .signal(SIGTSTP):
        mode.leave()
        kill(getpid(), SIGSTOP)
      case .signal(let number): return .signal(number)
      case .ended: return .status(0)
      case .failed(let reason):
        Terminal.complain("\(Main.name): cannot read the terminal: \(reason)")
        return .status(1)
      }
      do throws(StandardStream.Failure) {
        try draw()
      } catch {
        return Terminal.ending(of: Main.self, after: error)
      }
    }
  }

  /// Handles a key, and says whether the program goes on.
  private func press(_ key: Key) -> Bool {
    refusal = nil
    do throws(Refusal) {
      if key == .end { return false }
      let isHandled = try program.press(key)
      return isHandled || key != .character("q")
    } catch {
      refusal = error
      return true
    }
  }

  /// Draws the state as it is now.
  private func draw() throws(StandardStream.Failure) {
    var frame = program.frame(of: program.context[\.self])
    if let refusal { frame.footer.insert(StyledText(refusal.reason, .red), at: 0) }
    try screen.draw(frame)
  }
}
