/// Makes one view of the views that a closure lists.
@resultBuilder
public struct ViewBuilder {
  /// A view as it is.
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

  /// Nothing.
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// One view.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// Several views.
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> {
    var views: [any View] = []
    repeat views.append(each content)
    return TupleView(views)
  }

  /// A view that may be missing.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  /// The view of a condition that holds.
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> ConditionalContent<First, Second> {
    .first(first)
  }

  /// The view of a condition that does not hold.
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> ConditionalContent<First, Second> {
    .second(second)
  }
}

/// No view.
public nonisolated struct EmptyView: View, Arrangement {
  /// Nothing to say.
  public init() {}

  var parts: [Part] { [] }
}

/// Several views; each is recognised by its place.
public nonisolated struct TupleView<Views>: View, Arrangement {
  private let views: [any View]

  init(_ views: [any View]) {
    self.views = views
  }

  var parts: [Part] { views.enumerated().map { Part(key: $0, view: $1) } }
}

/// One of two views; each is another view than the other, also where both have one type.
public nonisolated enum ConditionalContent<First: View, Second: View>: View, Arrangement {
  /// The condition holds.
  case first(First)
  /// It does not.
  case second(Second)

  var parts: [Part] {
    switch self {
    case .first(let view): [Part(key: true, view: view)]
    case .second(let view): [Part(key: false, view: view)]
    }
  }
}

extension Optional: View where Wrapped: View {}

extension Optional: Arrangement, Primitive where Wrapped: View {
  var parts: [Part] { map { [Part(key: 0, view: $0)] } ?? [] }
}
