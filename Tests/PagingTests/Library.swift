import AsyncFeedback
import PagingSystem

/// A source whose requests the test answers itself, in any order, also those that are cancelled.
///
/// It ignores cancellation, which a request that is held does not.
final class Library: PostSource {
  private struct Contents {
    var requests: [PageRequest] = []
    var waiting: [Int: CheckedContinuation<[Post], Never>] = [:]
  }

  private let contents = Lock(Contents())

  /// The requests that came, in their order.
  var requests: [PageRequest] { contents.withLock { $0.requests } }

  @concurrent func posts(for request: PageRequest) async -> [Post] {
    await withCheckedContinuation { continuation in
      contents.withLock { contents in
        contents.requests.append(request)
        contents.waiting[request.number] = continuation
      }
    }
  }

  /// Answers a request with the posts of these ids.
  func answer(_ number: Int, _ ids: some Sequence<Int>) {
    let posts = ids.map { Post(id: $0, title: "post \($0)") }
    contents.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: posts)
  }
}
