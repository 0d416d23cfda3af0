internal import AsyncFeedback

/// The bodies of a context that are held and alive, and those that were.
final class HeldBodies<System: SystemProtocol>: Sendable {
  private struct State {
    var alive: [HeldBody<System>] = []
    var ended: [String: [HeldBody<System>]] = [:]
  }

  /// How many bodies of one name are remembered that have ended, for the failures.
  private static var memory: Int { 20 }

  private let state = Lock(State())

  /// Those that are alive, in the order in which they began.
  var alive: [HeldBody<System>] { state.withLock { $0.alive } }

  /// The one that was the last to end, with the payload that is claimed if there was one.
  func lastEnded(fitting claim: HeldRunClaim) -> HeldBody<System>? {
    let ended = state.withLock { $0.ended[claim.name] ?? [] }.reversed()
    return ended.first { claim.fits($0.run) } ?? ended.first { claim.fitsBesidesPayload($0.run) }
  }

  /// Whether a run of this name has been alive that belongs to no element.
  func hadRunWithoutElement(_ name: String) -> Bool {
    let ended = state.withLock { $0.ended[name] ?? [] }
    return (alive.filter { $0.info.feedback.name == name } + ended).contains { $0.run.key == nil }
  }

  /// Work that does what the test says.
  func work(
    _ input: RunInput<System>, _ payload: (any Sendable)?, _ key: RunKey?, _ pace: Pace?
  ) -> Work<System.Event> {
    Work { lane, send in
      let body = HeldBody(send.host.info(send.run), input: input, payload: payload, key: key)
      self.begin(body)
      defer { self.end(body) }
      switch input.answers {
      case .once, .many:
        return try await body.perform(send)
      case .elements:
        // The real work of a sequence, so that it waits, paces its elements and ends as one does.
        let elements = Work.stream(pace: pace, event: { $0 }, end: input.end) {
          HeldElements(body: body, host: send.host)
        }
        return try await elements.run(lane, send)
      }
    }
  }

  private func begin(_ body: HeldBody<System>) {
    state.withLock { $0.alive.append(body) }
  }

  private func end(_ body: HeldBody<System>) {
    state.withLock { state in
      state.alive.removeAll { $0 === body }
      var ended = state.ended.removeValue(forKey: body.info.feedback.name) ?? []
      if ended.count == Self.memory { ended.removeFirst() }
      state.ended[body.info.feedback.name] = ended + [body]
    }
  }
}
