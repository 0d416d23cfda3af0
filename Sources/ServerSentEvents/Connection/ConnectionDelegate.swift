internal import AsyncFeedback
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Hands what URLSession says of one connection on to its intake.
final class ConnectionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let request: URLRequest
  private let intake: Intake
  private let opened: @Sendable () -> Void
  /// Whether a redirect has led away from the server that was asked.
  private let hasLeft = Lock(false)

  /// - Parameter opened: called when the server has answered with an event stream.
  init(request: URLRequest, intake: Intake, opened: @escaping @Sendable () -> Void) {
    self.request = request
    self.intake = intake
    self.opened = opened
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    // FoundationNetworking goes on whatever the answer is; an intake that has an end takes nothing more.
    if let ending = ending(for: response) {
      intake.end(ending)
      completionHandler(.cancel)
    } else {
      intake.open()
      opened()
      completionHandler(.allow)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    intake.put(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let url = task.currentRequest?.url ?? request.url
    intake.end(.failure(error.map { .network($0, url) } ?? .ended(url)))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let hasLeft = hasLeft.withLock { hasLeft in
      hasLeft = hasLeft || !newRequest.isForTheServer(of: request)
      return hasLeft
    }
    completionHandler(newRequest.keepingHeaders(of: request, fromElsewhere: hasLeft))
  }

  /// What a response says against reading its body as an event stream; nil if nothing.
  private func ending(for response: URLResponse) -> Intake.Ending? {
    let url = response.url ?? request.url
    guard let response = response as? HTTPURLResponse else {
      return .failure(.status(0, url, retryAfter: nil))
    }
    if response.statusCode == 204 { return .noContent }
    guard response.statusCode == 200 else {
      let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
      return .failure(
        .status(response.statusCode, url, retryAfter: retryAfter.map { .seconds(max($0, 0)) }))
    }
    let type = response.value(forHTTPHeaderField: "Content-Type")
    let essence = type?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    guard essence == "text/event-stream" else { return .failure(.contentType(type, url)) }
    return nil
  }
}

extension URLRequest {
  /// Adds the headers that a redirect has lost, but for those that do not belong there.
  ///
  /// Headers of the body go with it where the method becomes another. Those that are for one server stay
  /// with it, and a redirect back counts as one from elsewhere: who is not told a password is not to choose
  /// either what is asked for with it.
  fileprivate func keepingHeaders(
    of original: URLRequest, fromElsewhere: Bool
  ) -> URLRequest {
    var request = self
    var lost: Set<String> = []
    if fromElsewhere { lost.formUnion(["authorization", "cookie", "proxy-authorization", "host"]) }
    if httpMethod != original.httpMethod {
      lost.formUnion(["content-type", "content-length", "content-encoding", "content-language"])
    }
    for (name, value) in original.allHTTPHeaderFields ?? [:] {
      if lost.contains(name.lowercased()) {
        request.setValue(nil, forHTTPHeaderField: name)
      } else if request.value(forHTTPHeaderField: name) == nil {
        request.setValue(value, forHTTPHeaderField: name)
      }
    }
    return request
  }

  fileprivate func isForTheServer(of other: URLRequest) -> Bool {
    url?.host?.lowercased() == other.url?.host?.lowercased() && url?.port == other.url?.port
      && url?.scheme?.lowercased() == other.url?.scheme?.lowercased()
  }
}
