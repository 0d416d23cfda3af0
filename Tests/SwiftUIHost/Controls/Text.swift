/// A text.
public nonisolated struct Text: View, Primitive {
  private let content: String

  /// Shows a text as it is.
  public init(verbatim content: String) {
    self.content = content
  }

  /// Shows a text.
  public init<Content: StringProtocol>(_ content: Content) {
    self.content = String(content)
  }

  @MainActor func outline(at _: Place) -> Outline { Outline(text: content) }
}

/// Something goes on.
public nonisolated struct ProgressView: View, Primitive {
  /// Says that something goes on.
  public init() {}

  @MainActor func outline(at _: Place) -> Outline { Outline(text: "…") }
}
