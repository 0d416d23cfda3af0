import AsyncFeedback
import TodoSystem

/// A place to save that takes its time, like a disk, and fails when it is told to.
///
/// A write that was begun goes on to its end, cancelled or not; `endWrite` lets the oldest end.
final class Disk: Sendable {
  struct Full: Error, CustomStringConvertible {
    let description = "the disk is full"
  }

  private struct Contents {
    var isSlow = false
    var isFull = false
    var attempts = 0
    var writing: [CheckedContinuation<Void, Never>] = []
    var mostAtOnce = 0
    var lists: [[String]] = []
  }

  private let contents = Lock(Contents())

  /// Whether each write waits for `endWrite`.
  var isSlow: Bool {
    get { contents.withLock { $0.isSlow } }
    set { contents.withLock { $0.isSlow = newValue } }
  }

  var isFull: Bool {
    get { contents.withLock { $0.isFull } }
    set { contents.withLock { $0.isFull = newValue } }
  }

  /// How often somebody tried to save.
  var attempts: Int { contents.withLock { $0.attempts } }

  /// How many writes went on at the same time at the most.
  var mostAtOnce: Int { contents.withLock { $0.mostAtOnce } }

  /// The titles of the lists that were written to the end, in that order.
  var lists: [[String]] { contents.withLock { $0.lists } }

  func save(_ list: TodoList) async throws {
    let isSlow = contents.withLock { contents in
      contents.attempts += 1
      return contents.isSlow
    }
    if isSlow {
      await withCheckedContinuation { continuation in
        contents.withLock { contents in
          contents.writing.append(continuation)
          contents.mostAtOnce = max(contents.mostAtOnce, contents.writing.count)
        }
      }
    }
    try contents.withLock { contents in
      if contents.isFull { throw Full() }
      contents.lists.append(list.todos.map(\.title))
    }
  }

  func endWrite() {
    contents.withLock { contents in
      contents.writing.isEmpty ? nil : contents.writing.removeFirst()
    }?.resume()
  }
}
