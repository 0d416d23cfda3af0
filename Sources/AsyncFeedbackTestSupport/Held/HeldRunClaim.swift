internal import AsyncFeedback

/// Says which held run is meant: by the name of its feedback and, where that is not enough, by its
/// payload or the id of its element.
///
/// ```swift
/// let byName: HeldRunClaim = "load"
/// let byPayload = HeldRunClaim.run("load", 3)
/// let byElement = HeldRunClaim.run("upload", id: "a.png")
/// ```
public struct HeldRunClaim: Sendable, ExpressibleByStringLiteral {
  let name: String
  let payload: HeldPayloadClaim?
  let key: RunKey?
  /// Whether, of several that fit, the one is meant that has been alive the longest.
  private(set) var isOldest = false

  private init(_ name: String, payload: HeldPayloadClaim?, key: RunKey?) {
    self.name = name
    self.payload = payload
    self.key = key
  }

  /// A run of the feedback of this name.
  public init(stringLiteral name: String) {
    self.init(name, payload: nil, key: nil)
  }

  /// A run of the feedback of this name.
  public static func run(_ name: String) -> Self {
    Self(name, payload: nil, key: nil)
  }

  /// A run of the feedback of this name, with an equal payload.
  public static func run<Payload: Equatable & Sendable>(
    _ name: String, _ payload: Payload
  ) -> Self {
    Self(name, payload: HeldPayloadClaim(payload), key: nil)
  }

  /// A run of the feedback of this name, with a payload of this type that the condition holds for.
  ///
  /// For a payload that is too big to be claimed whole, such as the state of a feedback that gets it.
  public static func run<Payload: Sendable>(
    _ name: String, where isExpected: @escaping @Sendable (Payload) -> Bool
  ) -> Self {
    Self(name, payload: HeldPayloadClaim(where: isExpected), key: nil)
  }

  /// A run of the feedback of this name, for the element with this id.
  public static func run<ID: Hashable & Sendable>(_ name: String, id: ID) -> Self {
    Self(name, payload: nil, key: RunKey(AnyHashable(id)))
  }

  /// A run of the feedback of this name, for the element with this id, which is equal to the payload.
  public static func run<ID: Hashable & Sendable, Payload: Equatable & Sendable>(
    _ name: String, id: ID, _ payload: Payload
  ) -> Self {
    Self(name, payload: HeldPayloadClaim(payload), key: RunKey(AnyHashable(id)))
  }

  /// The same; of several runs that fit, the one that has been alive the longest.
  ///
  /// For runs that beside each other work on the same, which nothing else tells apart. `alive` takes it
  /// for any of them.
  public var oldest: Self {
    var claim = self
    claim.isOldest = true
    return claim
  }

  /// Whether the run is one that is meant.
  func fits(_ run: HeldRun) -> Bool {
    fitsBesidesPayload(run) && payload?.isEqual(run.payload) ?? true
  }

  /// Whether the run is one that is meant, its payload aside.
  func fitsBesidesPayload(_ run: HeldRun) -> Bool {
    name == run.name && (key == nil || key == run.key)
  }
}

extension HeldRunClaim: CustomStringConvertible {
  /// The name, the id, and the payload.
  public var description: String {
    "\(address)\(payload.map { ", payload \($0.text)" } ?? "")"
  }

  /// The name and the id.
  var address: String {
    "\(name)\(key.map { "[\(describe($0.id.base))]" } ?? "")"
  }
}

/// A payload that a held run is to have.
struct HeldPayloadClaim: Sendable {
  let text: String
  let isEqual: @Sendable ((any Sendable)?) -> Bool
  /// How a payload that is not equal differs from this one.
  let difference: @Sendable ((any Sendable)?) -> [String]

  init<Payload: Sendable>(where isExpected: @escaping @Sendable (Payload) -> Bool) {
    text = "of the type \(Payload.self) that meets the condition"
    isEqual = { ($0 as? Payload).map(isExpected) ?? false }
    difference = { payload in
      payload is Payload
        ? ["it does not meet the condition: \(describe(payload, limit: 200))"]
        : [
          "it is of the type \(payload.map { "\(type(of: $0))" } ?? "Void"), and not \(Payload.self)"
        ]
    }
  }

  init<Payload: Equatable & Sendable>(_ expected: Payload) {
    text = describe(expected)
    isEqual = { payload in (payload as? Payload).map { isSame(expected, $0) } ?? false }
    difference = { payload in
      guard let payload else { return ["it has none"] }
      guard let payload = payload as? Payload else {
        return ["it is of the type \(type(of: payload)), and not \(Payload.self)"]
      }
      return Difference(from: expected, to: payload).lines
    }
  }
}
