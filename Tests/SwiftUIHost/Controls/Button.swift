/// Something to tap.
public nonisolated struct Button<Label: View>: View, Primitive {
  private let action: @MainActor () -> Void
  private let label: Label

  /// Makes a button with any label.
  @preconcurrency
  public init(
    action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {
    self.action = action
    self.label = label()
  }

  @MainActor func outline(at _: Place) -> Outline {
    Outline(parts: [Part(key: 0, view: label)], control: .button(action))
  }
}

extension Button where Label == Text {
  /// Makes a button with a text.
  @preconcurrency
  public init<Title: StringProtocol>(
    _ title: Title, action: @escaping @MainActor () -> Void
  ) {
    self.init(action: action) { Text(title) }
  }
}
