import AsyncFeedback
import ExampleScreens
import Foundation
import PagingSystem
import SwiftUI
import TickerSystem
import TodoSystem

#if os(macOS)
  import AppKit
#endif

/// The example screens, on the systems of the terminal programs.
@main
struct ExampleApp: App {
  private let todos: Context<Todos>
  private let notice: String?
  /// Runs for as long as the app does, so that what was written last is saved whatever is on the screen.
  private let running: Running

  init() {
    let file = TodoFile(path: Self.folder.appending(path: "todos.json").path)
    notice = file.notice
    todos = Context(
      state: .init(file.initial), system: Todos { list in try await file.save(list) })
    running = todos.start()
    #if os(macOS)
      // A program that is no bundle has no windows in front otherwise, and gets no keys.
      NSApplication.shared.setActivationPolicy(.regular)
      NSApplication.shared.activate()
    #endif
  }

  var body: some Scene {
    WindowGroup {
      ExamplesScreen(
        todos: todos, notice: notice,
        paging: { Paging(source: Catalogue(latency: .milliseconds(400), failureRate: 0.1)) },
        ticker: {
          Ticker(source: ScoreBoard(), trickle: .init(count: 200, interval: .milliseconds(250)))
        })
    }
  }

  /// Where the app keeps what it has; where there is no such place, somewhere until the system tidies up.
  private static var folder: URL {
    let support = try? FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    guard let support else { return FileManager.default.temporaryDirectory }
    let folder = support.appending(path: "async-feedback-examples")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
