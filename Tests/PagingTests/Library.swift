import AsyncFeedback
import PagingSystem

/// A source whose requests the test answers itself, in any order.
///
/// It ignores cancellation.
final class Library: PostSource {
  private struct Contents {
    var requests: [PageRequest] = []
    var waiting: [Int: CheckedContinuation<[Post], any Error>] = [:]
  }

  private let contents = Lock(Contents())

  /// The requests that came, in their order.
  var requests: [PageRequest] { contents.withLock { $0.requests } }

  @concurrent func posts(for request: PageRequest) async throws -> [Post] {
    try await withCheckedThrowingContinuation { continuation in
      contents.withLock { contents in
        contents.requests.append(request)
        contents.waiting[request.number] = continuation
      }
    }
  }

  /// Answers a request with the posts of these ids.
  func answer(_ number: Int, _ ids: some Sequence<Int>) {
    take(number)?.resume(returning: ids.map { Post(id: $0, title: "post \($0)") })
  }

  func fail(_ number: Int, _ reason: String) {
    take(number)?.resume(throwing: PageError(reason))
  }

  private func take(_ number: Int) -> CheckedContinuation<[Post], any Error>? {
    contents.withLock { $0.waiting.removeValue(forKey: number) }
  }
}
