/// The three forms of a feedback's body.
@usableFromInline
package enum Body<Payload: Sendable, Event: Sendable>: Sendable {
  @usableFromInline package typealias Asynchronous =
    nonisolated(nonsending) @Sendable (Payload) async throws -> Event?
  @usableFromInline package typealias Sending =
    nonisolated(nonsending) @Sendable (Payload, Send<Event>) async throws -> Void

  case synchronous(@Sendable (Payload) -> Event?)
  case asynchronous(Asynchronous)
  case sending(Sending)

  /// The body as work on one payload.
  @inlinable
  package func work(on payload: Payload) -> Work<Event> {
    switch self {
    case .synchronous(let evaluate):
      Work { _, _ in evaluate(payload) }
    case .asynchronous(let evaluate):
      Work { _, _ in try await evaluate(payload) }
    case .sending(let evaluate):
      Work { _, send in
        try await evaluate(payload, send.kept())
        return nil
      }
    }
  }
}
