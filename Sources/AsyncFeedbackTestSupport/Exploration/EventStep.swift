internal import AsyncFeedback

/// A step of a test that an exploration has made up.
public enum EventStep<Event: Sendable>: Sendable {
  /// `TestContext.send(_:)`
  case send(Event)
  /// `TestContext.advance(by:)`
  case advance(by: Duration)
  /// `TestContext.settle()`
  case settle

  /// The event, if one is sent.
  public var event: Event? {
    if case .send(let event) = self { event } else { nil }
  }
}

extension EventStep: Equatable where Event: Equatable {}
extension EventStep: Hashable where Event: Hashable {}

extension EventStep: CustomStringConvertible {
  /// The step as a test writes it, such as `.send(.queryChanged("a"))`.
  public var description: String {
    switch self {
    case .send(let event): ".send(\(describe(event, limit: 10_000)))"
    case .advance(let duration): ".advance(by: \(Self.text(of: duration)))"
    case .settle: ".settle()"
    }
  }

  private static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = attoseconds / 1_000_000_000
    if nanoseconds == 0 { return ".seconds(\(seconds))" }
    if nanoseconds.isMultiple(of: 1_000_000) {
      return ".milliseconds(\(seconds * 1_000 + nanoseconds / 1_000_000))"
    }
    return ".nanoseconds(\(seconds * 1_000_000_000 + nanoseconds))"
  }
}
