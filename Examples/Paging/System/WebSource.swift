package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Posts from a server that takes `?_start=N&_limit=N` and answers with a JSON array of
/// `{ "id", "title" }`.
///
/// Where Foundation's networking is built on libcurl (not on Apple platforms), it goes on asking
/// whether it may send long after it has sent: waiting for a silent server on a new connection keeps
/// a processor busy. Nothing here can stop that, but cancelling the transfer ends it, so a request
/// needs a limit to its time.
package struct WebSource: PostSource {
  private let base: URL
  private let session: URLSession

  /// - Parameter base: The address of the collection, which may have a query of its own.
  package init(base: URL) {
    self.base = base
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    // The system's own limits end a request that is too slow, not this one's.
    configuration.timeoutIntervalForRequest = 3_600
    session = URLSession(configuration: configuration)
  }

  @concurrent package func posts(for request: PageRequest) async throws -> [Post] {
    let (data, response) = try await answer(to: address(of: request))
    guard let response = response as? HTTPURLResponse else {
      throw PageError("the server does not speak HTTP")
    }
    guard response.statusCode == 200 else {
      throw PageError("the server answered with status \(response.statusCode)")
    }
    do {
      return try JSONDecoder().decode([Post].self, from: data)
    } catch {
      throw PageError("the server's answer is not a JSON array of posts")
    }
  }

  private func address(of request: PageRequest) -> URL {
    base.appending(queryItems: [
      URLQueryItem(name: "_start", value: "\(request.start)"),
      URLQueryItem(name: "_limit", value: "\(request.limit)"),
    ])
  }

  /// The answer to one request.
  ///
  /// A stream of one, since where cancellation ends a stream the transfer can be ended too.
  private func answer(to address: URL) async throws -> (Data, URLResponse?) {
    let (answers, continuation) = AsyncThrowingStream.makeStream(of: (Data, URLResponse?).self)
    let transfer = session.dataTask(with: address) { data, response, error in
      if let error {
        continuation.finish(throwing: PageError(error, at: address))
      } else {
        continuation.yield((data ?? Data(), response))
        continuation.finish()
      }
    }
    continuation.onTermination = { _ in transfer.cancel() }
    transfer.resume()
    for try await answer in answers { return answer }
    throw CancellationError()
  }
}

extension PageError {
  /// A failed transfer in words that are the same on every platform.
  fileprivate init(_ error: any Error, at address: URL) {
    let server = [address.host, address.port.map(String.init)].compactMap(\.self)
      .joined(separator: ":")
    let reason =
      switch (error as? URLError)?.code {
      case .cannotConnectToHost?: "\(server) refuses connections"
      case .cannotFindHost?, .dnsLookupFailed?: "there is no server \(server)"
      case .networkConnectionLost?: "\(server) broke the connection off"
      case .timedOut?: "\(server) did not answer in time"
      default: "the transfer from \(server) failed: \(error.localizedDescription)"
      }
    self.init(reason)
  }
}
