/// Tells the monitors of a feed what happens to it.
@usableFromInline
package struct FeedReporter: Sendable {
  private let name: String
  private let key: String?
  private let monitor: (any FeedMonitor)?
  private let link: FeedLink?

  /// A reporter of the feed to its own monitor and to that of the run that the calling task belongs to;
  /// nil if there is none.
  init?(_ place: FeedPlace, _ monitor: (any FeedMonitor)?) {
    let link = FeedLink.current
    guard monitor != nil || link != nil else { return nil }
    name = place.name
    key = place.key?.text
    self.monitor = monitor
    self.link = link
  }

  func report(_ kind: FeedReport.Kind) {
    let report = FeedReport(name: name, key: key, kind: kind)
    monitor?.receive(report)
    link?.report(report)
  }
}

/// How feeds that a run iterates reach the monitor of its context.
///
/// It is there only where the context has a monitor.
@usableFromInline
package struct FeedLink: Sendable {
  @TaskLocal package static var current: FeedLink?

  let report: @Sendable (FeedReport) -> Void
}

extension Driver {
  /// Tells the monitor what happened to a feed that a run iterates.
  ///
  /// It is called from anywhere. What happens elsewhere is told on the executor, at its next chance; a feed
  /// tells little between two steps of its consumer, so little can wait.
  func report(_ report: FeedReport, of run: RunInfo) {
    let isFirst = feedReports.withLock { reports in
      reports.append((run, report))
      return reports.count == 1
    }
    if isHere {
      reportFeeds()
    } else if isFirst {
      _ = lane.start { [weak self] _ in self?.reportFeeds() }
    }
  }

  private func reportFeeds() {
    let reports = feedReports.withLock { reports in
      defer { reports.removeAll() }
      return reports
    }
    for (run, report) in reports { self.report { .feed(run, report) } }
  }

  @usableFromInline
  package func makeFeedLink(for run: RunID) -> FeedLink? {
    guard isMonitored else { return nil }
    let info = info(run)
    return FeedLink { [weak self] in self?.report($0, of: info) }
  }
}
