import AsyncFeedback

/// What happened, in order, from whichever thread.
final class Log<Entry: Sendable>: Sendable {
  private let lock = Lock<[Entry]>([])

  var entries: [Entry] { lock.withLock { $0 } }

  func append(_ entry: Entry) {
    lock.withLock { $0.append(entry) }
  }
}

/// A reference that keeps nothing alive.
final class WeakBox<Object: AnyObject & Sendable>: Sendable {
  private let lock: Lock<Weak>

  private struct Weak: Sendable {
    weak var object: Object?
  }

  var object: Object? { lock.withLock { $0.object } }

  init(_ object: Object) {
    lock = Lock(Weak(object: object))
  }
}
