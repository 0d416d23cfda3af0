/// The receipt for an event that was sent.
///
/// <!-- sample: uses Examples/Counter/System/CounterSystem.swift -->
/// ```swift
/// let context = Context(state: .init(), system: Counter())
/// let running = context.start()
/// await context.send(.countEntered(3)).value  // it is reduced
/// await context.send(.countEntered(6)).settled()  // and the feedbacks have answered
/// running.stop()
/// ```
///
/// It may be ignored. It does not keep the context alive.
public struct Receipt: Sendable {
  @usableFromInline let host: any ReceiptHost
  @usableFromInline let ticket: Ticket
  @usableFromInline let run: RunID?

  @inlinable
  package init(host: any ReceiptHost, ticket: Ticket, run: RunID? = nil) {
    self.host = host
    self.ticket = ticket
    self.run = run
  }

  /// Waits until the event was reduced, or dropped because its run had lost its lease.
  ///
  /// Returns early when the waiting task is cancelled or the context is gone. An event sent while no
  /// loop runs waits for the next one, and so does this.
  public nonisolated(nonsending) var value: Void {
    get async { await host.handled(ticket) }
  }

  /// Waits until the event was handled and everything that it caused has ended: the events that
  /// feedbacks answered, and their runs, or these wait inside the library (law 20).
  ///
  /// Awaited in the body of a feedback it does not wait for that body itself. Returns early when the
  /// waiting task is cancelled or the context is gone.
  public nonisolated(nonsending) func settled() async {
    await host.settled(ticket, run: run)
  }
}

/// What a receipt asks: the driver of the context that the event went to.
@usableFromInline
package protocol ReceiptHost: AnyObject, Sendable {
  nonisolated(nonsending) func handled(_ ticket: Ticket) async
  nonisolated(nonsending) func settled(_ ticket: Ticket, run: RunID?) async
}
