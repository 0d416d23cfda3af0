/// A part of a screen.
@MainActor @preconcurrency
public protocol View {
  /// What the part is made of.
  associatedtype Body: View

  /// What the part is made of, as its properties stand.
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  /// There is no such view.
  public typealias Body = Never
}

extension View where Body == Never {
  /// There is none: the host knows the view itself.
  public var body: Never { preconditionFailure("\(Self.self) has no body") }
}

/// A view that the host knows itself.
@MainActor
protocol Primitive {
  func outline(at place: Place) -> Outline
}

/// A view that only arranges others, which a list takes for rows of its own.
@MainActor
protocol Arrangement: Primitive {
  var parts: [Part] { get }
}

extension Arrangement {
  @MainActor func outline(at _: Place) -> Outline { Outline(parts: parts) }
}

/// A view within another, and what it is recognised by from one evaluation to the next.
struct Part {
  let key: AnyHashable
  let view: any View
}

/// What the host learns from a primitive view.
struct Outline {
  var parts: [Part] = []
  var text: String?
  var control: Control?
  /// What a picker recognises the view by.
  var tag: AnyHashable?
  /// How many rows there are beside those that are parts, if the view scrolls.
  var rowCount: Int?
  var environment: EnvironmentValues?
  var lifecycle: Lifecycle?
}
