/// Sends events from the body of a feedback.
///
/// ```swift
/// enum Event { case counted(Int) }
/// let count: @Sendable (Send<Event>) async -> Void = { send in
///   for number in 1...3 { send(.counted(number)) }
/// }
/// ```
///
/// It may be called from any isolation and never blocks. The events of one body are reduced in the
/// order sent. What is sent after the run has lost its lease is dropped (law 6).
public struct Send<Event: Sendable>: Sendable {
  @usableFromInline package let host: any RunHost<Event>
  @usableFromInline package let run: RunID
  /// Queues an event of the run; the host's hot loop has made it.
  @usableFromInline let deliver: @Sendable (Event, RunID) -> Ticket
  private let voice: Voice?

  @usableFromInline
  package init(
    host: any RunHost<Event>, run: RunID, deliver: @escaping @Sendable (Event, RunID) -> Ticket,
    voice: Voice? = nil
  ) {
    self.host = host
    self.run = run
    self.deliver = deliver
    self.voice = voice
  }

  /// The same for code that may keep it beyond the end of the run.
  ///
  /// Called on the lane.
  @usableFromInline
  package func kept() -> Self {
    Send(host: host, run: run, deliver: deliver, voice: host.giveVoice(to: run))
  }

  /// Sends one event.
  ///
  /// - Returns: a receipt that tells when the event was reduced or dropped.
  @inlinable
  @discardableResult
  public func callAsFunction(_ event: Event) -> Receipt {
    Receipt(host: host, ticket: deliver(event, run), run: run)
  }
}

/// What a body's `Send` talks to: the driver of the context that runs it.
@usableFromInline
package protocol RunHost<Event>: ReceiptHost {
  associatedtype Event: Sendable

  /// Notes that a run may be heard of as long as the voice lives. Called on the lane.
  func giveVoice(to run: RunID) -> Voice

  /// Notes that a value of a run waits for its pace, or waits no more. Called on the lane.
  func hold(_ run: RunID, _ isHeld: Bool)

  /// Notes that a run waits inside the library, or goes on after such a wait. Called on the lane.
  func park(_ run: RunID, _ isParked: Bool)

  /// What reports say of a run. Called on the lane.
  func info(_ run: RunID) -> RunInfo

  /// What tells the monitor of the feeds that a run iterates; nil without a monitor. Called on the lane.
  func makeFeedLink(for run: RunID) -> FeedLink?

  /// The number of the event that is being handled; nil between turns. Called on the lane.
  var handling: Int? { get }

  /// Lets everybody else on the lane get in.
  nonisolated(nonsending) func giveWay() async
}

/// Lives as long as somebody can send for a run, which may be longer than the run itself.
@usableFromInline
package final class Voice: Sendable {
  private let run: RunID
  private let silent: SilentRuns

  package init(of run: RunID, silent: SilentRuns) {
    self.run = run
    self.silent = silent
  }

  deinit {
    silent.add([run])
  }
}
