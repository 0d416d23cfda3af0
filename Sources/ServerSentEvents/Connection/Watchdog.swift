internal import AsyncFeedback
internal import Foundation

/// Gives a connection up that takes too long to open, or is silent for too long.
final class Watchdog: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isStopped = false
  }

  private let intake: Intake
  private let timer: RunTimer
  private let url: URL?
  private let state = Lock(State())

  init(intake: Intake, timer: RunTimer, url: URL?) {
    self.intake = intake
    self.timer = timer
    self.url = url
  }

  func watch(connecting limit: Duration?) {
    guard let limit else { return }
    let deadline = timer.elapsed() + limit
    replace { [intake, timer, url] in
      guard (try? await timer.sleep(until: deadline)) != nil, !intake.isOpened else { return }
      intake.end(.failure(.timedOut(.connecting, after: limit, url)))
    }
  }

  /// Ends the watch over the opening, and begins that over the stream.
  func watch(silence limit: Duration?) {
    guard let limit else { return stop() }
    replace { [intake, timer, url] in
      while true {
        // What waits to be read is not silence.
        let heard = intake.heard
        let deadline = (heard ?? timer.elapsed()) + limit
        if heard != nil, deadline <= timer.elapsed() {
          return intake.end(.failure(.timedOut(.silent, after: limit, url)))
        }
        guard (try? await timer.sleep(until: deadline)) != nil else { return }
      }
    }
  }

  func stop() {
    let task = state.withLock { state in
      state.isStopped = true
      return state.task.take()
    }
    task?.cancel()
  }

  private func replace(_ body: @escaping @Sendable () async -> Void) {
    let old = state.withLock { state in
      let old = state.task
      state.task = state.isStopped ? nil : Task.detached { await body() }
      return old
    }
    old?.cancel()
  }
}
