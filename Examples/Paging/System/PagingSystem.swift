package import AsyncFeedback

/// A list of posts that grows a page at a time.
///
/// The state says which page is wanted; one feedback gets it. So an answer nobody waits for any
/// more, such as that of a page when the list is refreshed meanwhile, never arrives.
package struct Paging: SystemProtocol {
  package struct State: Sendable, Equatable {
    // Written by the reducer alone, and in the claims of tests.
    package internal(set) var phase = Phase.idle
    package internal(set) var posts: [Post] = []
    /// Whether there are no posts beyond these.
    package internal(set) var isAtEnd = false
    /// The page being loaded.
    package internal(set) var request: PageRequest?
    /// How many pages were asked for.
    var requests = 0
    private let limit: Int

    /// - Parameter limit: How many posts a page has.
    package init(limit: Int = 20) {
      self.limit = limit
    }

    fileprivate mutating func ask(start: Int) {
      requests += 1
      request = PageRequest(number: requests, start: start, limit: limit)
      phase = start == 0 ? .loading : .loadingMore
    }
  }

  package enum Phase: Sendable, Equatable {
    case idle
    case loading
    case loaded
    case loadingMore
    /// The first page could not be loaded.
    case failed(String)
    /// A further page could not be loaded; the posts before it are kept.
    case failedMore(String)
    /// There are no posts at all.
    case empty
  }

  package enum Event: Sendable {
    case loadTapped
    case moreTapped
    case retryTapped
    case refreshTapped
    case pageLoaded([Post])
    case pageFailed(String)
  }

  private let source: any PostSource
  private let timeout: Duration
  private let clock: any Clock<Duration>

  package init(
    source: any PostSource, timeout: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.source = source
    self.timeout = timeout
    self.clock = clock
  }

  package func reducer() -> Reducer {
    { state, event in
      switch event {
      case _ where !state.accepts(event): break
      case .loadTapped, .refreshTapped: state.ask(start: 0)
      case .moreTapped: state.ask(start: state.posts.count)
      case .retryTapped: state.retry()
      case .pageLoaded(let page): state.take(page)
      case .pageFailed(let error): state.fail(error)
      }
    }
  }

  package func feedbacks() -> [Feedback<Self>] {
    Feedback.request(\.request, name: "page", catch: { .pageFailed(describe($0)) }) {
      [source] request in
      .pageLoaded(try await source.posts(for: request))
    }
    .timingOut(after: timeout, clock: clock)
  }

  private func describe(_ error: any Error) -> String {
    error is TimeoutError ? "no answer within \(timeout)" : "\(error)"
  }
}

extension Paging.State {
  /// Whether the event means anything in this phase.
  ///
  /// A list may be refreshed at any time once it was asked for: what is under way is replaced.
  package func accepts(_ event: Paging.Event) -> Bool {
    switch (event, phase) {
    case (.loadTapped, let phase): phase == .idle
    case (.moreTapped, let phase): phase == .loaded && !isAtEnd
    case (.retryTapped, .failed), (.retryTapped, .failedMore): true
    case (.retryTapped, _): false
    case (.refreshTapped, let phase): phase != .idle
    case (.pageLoaded, _), (.pageFailed, _): request != nil
    }
  }

  fileprivate mutating func retry() {
    if case .failedMore = phase { ask(start: posts.count) } else { ask(start: 0) }
  }

  fileprivate mutating func take(_ page: [Post]) {
    guard let request else { return }
    posts = request.start == 0 ? page : posts + page
    isAtEnd = page.count < request.limit
    phase = posts.isEmpty ? .empty : .loaded
    self.request = nil
  }

  fileprivate mutating func fail(_ error: String) {
    guard let request else { return }
    phase = request.start == 0 ? .failed(error) : .failedMore(error)
    self.request = nil
  }
}
