import ExampleScreens
import Foundation
import PagingSystem
import SwiftUI
import TickerSystem
import TodoSystem

/// The example screens, on the systems of the terminal programs.
@main
struct ExampleApp: App {
  private let file: TodoFile

  init() {
    let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
    file = TodoFile(
      path: (folder ?? FileManager.default.temporaryDirectory).appending(path: "todos.json").path)
  }

  var body: some Scene {
    WindowGroup {
      // A screen that is chosen again begins with what is on the disk then.
      ExamplesScreen(
        list: file.initial,
        todos: { [file] in Todos { list in try await file.save(list) } },
        paging: { Paging(source: Catalogue(latency: .milliseconds(400), failureRate: 0.1)) },
        ticker: {
          Ticker(source: ScoreBoard(), trickle: .init(count: 200, interval: .milliseconds(250)))
        })
    }
  }
}
