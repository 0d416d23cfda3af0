/// Tells the monitors of a feed what happens to it.
@usableFromInline
package struct FeedReporter: Sendable {
  private let id: FeedID
  private let monitor: (any FeedMonitor)?
  private let link: FeedLink?

  /// A reporter of the feed to its own monitor and to that of the run that the calling task belongs to;
  /// nil if there is none.
  init?(_ place: FeedPlace, _ monitor: (any FeedMonitor)?) {
    let link = FeedLink.current
    guard monitor != nil || link != nil else { return nil }
    id = place.id
    self.monitor = monitor
    self.link = link
  }

  func report(_ kind: FeedReport.Kind) {
    let report = FeedReport(name: id.name, key: id.key?.text, kind: kind)
    monitor?.receive(report)
    link?.report(report)
  }

  /// Counts a consumer among those of the context that are at work for the same name and key.
  ///
  /// - Returns: how many there are now. Without a key, nothing says that two feeds are meant to be one.
  func join() -> Int {
    guard let link, id.key != nil else { return 0 }
    return link.count(id, 1)
  }

  func leave() {
    if let link, id.key != nil { _ = link.count(id, -1) }
  }
}

/// How feeds that a run iterates reach the monitor of its context.
///
/// It is there only where the context has a monitor.
@usableFromInline
package struct FeedLink: Sendable {
  @TaskLocal package static var current: FeedLink?

  let report: @Sendable (FeedReport) -> Void
  /// Counts consumers of a feed up or down, and returns how many there are then.
  let count: @Sendable (FeedID, Int) -> Int
}

/// What a context knows of the feeds that its runs iterate.
struct FeedDesk: Sendable {
  /// What is to be told yet.
  var reports: [(run: RunInfo, report: FeedReport)] = []
  private var consumers: [FeedID: Int] = [:]

  mutating func count(_ id: FeedID, by change: Int) -> Int {
    let count = consumers[id, default: 0] + change
    consumers[id] = count > 0 ? count : nil
    return count
  }
}

extension Driver {
  /// Tells the monitor what happened to a feed that a run iterates.
  ///
  /// It is called from anywhere. What happens elsewhere is told on the executor, at its next chance; a feed
  /// tells little between two steps of its consumer, so little can wait.
  func report(_ report: FeedReport, of run: RunInfo) {
    let isFirst = feeds.withLock { desk in
      desk.reports.append((run, report))
      return desk.reports.count == 1
    }
    if isHere {
      reportFeeds()
    } else if isFirst {
      _ = lane.start { [weak self] _ in self?.reportFeeds() }
    }
  }

  private func reportFeeds() {
    let reports = feeds.withLock { desk in
      defer { desk.reports.removeAll() }
      return desk.reports
    }
    for (run, report) in reports { self.report { .feed(run, report) } }
  }

  @usableFromInline
  package func makeFeedLink(for run: RunID) -> FeedLink? {
    guard isMonitored else { return nil }
    let info = info(run)
    return FeedLink { [weak self] in
      self?.report($0, of: info)
    } count: { [weak self] id, change in
      self?.feeds.withLock { $0.count(id, by: change) } ?? 0
    }
  }
}
