#if canImport(os)
  public import os

  /// A monitor that writes structured log lines, and signposts for Instruments.
  ///
  /// It can be the monitor of a context, of feeds, and that of intervals at the same time; a feed that it
  /// is given to needs no context with it, whose reports would be the same once more. A run of a
  /// feedback is no interval of its own: intervals are those that are opened with ``FeedMonitor``'s calls.
  public struct SignpostMonitor: ContextMonitor, FeedMonitor {
    private let logger: Logger
    private let signposter: OSSignposter

    /// - Parameters:
    ///   - subsystem: the identifier of the app, as in the unified log.
    ///   - category: the category of the lines and signposts.
    public init(subsystem: String, category: String = "AsyncFeedback") {
      logger = Logger(subsystem: subsystem, category: category)
      signposter = OSSignposter(subsystem: subsystem, category: category)
    }

    /// Logs what concerns a feed, an error or a loop that does not come to rest.
    public func receive<System: SystemProtocol>(_ record: MonitorRecord<System>) {
      switch record {
      case .feed(let run, let report):
        receive(report)
        logger.debug("\(report.name, privacy: .public) in \(run.description, privacy: .public)")
      case .runFailed(let run, let error):
        logger.error("\(run.description, privacy: .public) failed: \(String(describing: error))")
      case .runaway(let report):
        logger.fault("\(report.description)")
      default:
        break
      }
    }

    /// Logs the report, as a notice where elements are lost, and emits a signpost.
    public func receive(_ report: FeedReport) {
      let text = report.description
      switch report.kind {
      case .gapBegan, .gapEnded, .consumersAtOnce: logger.notice("\(text, privacy: .public)")
      default: logger.info("\(text, privacy: .public)")
      }
      signposter.emitEvent("feed", id: .exclusive, "\(text, privacy: .public)")
    }

    /// Begins an interval.
    public func begin(_ interval: FeedInterval) {
      _ = signposter.beginInterval(interval.name, id: OSSignpostID(interval.number))
    }

    /// Ends an interval.
    public func end(_ interval: FeedInterval) {
      // The state says no more than the number does.
      let state = OSSignpostIntervalState.beginState(id: OSSignpostID(interval.number))
      signposter.endInterval(interval.name, state)
    }
  }
#endif
