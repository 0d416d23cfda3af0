/// A line of text to edit.
public nonisolated struct TextField<Label: View>: View, Primitive {
  private let label: Label
  private let text: Binding<String>

  @MainActor func outline(at _: Place) -> Outline {
    // What is shown is read here, so that the field follows it.
    _ = text.wrappedValue
    return Outline(parts: [Part(key: 0, view: label)], control: .field(text))
  }
}

extension TextField where Label == Text {
  /// Makes a field with a title.
  public init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {
    label = Text(title)
    self.text = text
  }
}

/// Something that is on or off.
public nonisolated struct Toggle<Label: View>: View, Primitive {
  private let label: Label
  private let isOn: Binding<Bool>

  @MainActor func outline(at _: Place) -> Outline {
    _ = isOn.wrappedValue
    return Outline(parts: [Part(key: 0, view: label)], control: .toggle(isOn))
  }
}

extension Toggle where Label == Text {
  /// Makes a toggle with a title.
  public init<Title: StringProtocol>(_ title: Title, isOn: Binding<Bool>) {
    label = Text(title)
    self.isOn = isOn
  }
}

/// Something that goes up and down.
public nonisolated struct Stepper<Label: View>: View, Primitive {
  private let label: Label
  private let step: (Int) -> Void

  @MainActor func outline(at _: Place) -> Outline {
    Outline(parts: [Part(key: 0, view: label)], control: .stepper(step: step))
  }
}

extension Stepper where Label == Text {
  /// Makes a stepper of a value without bounds.
  public init<Title: StringProtocol, Value: Strideable>(
    _ title: Title, value: Binding<Value>, step: Value.Stride = 1,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    label = Text(title)
    self.step = { count in
      value.wrappedValue = value.wrappedValue.advanced(by: count < 0 ? 0 - step : step)
    }
  }

  /// Makes a stepper of a value within bounds.
  public init<Title: StringProtocol, Value: Strideable>(
    _ title: Title, value: Binding<Value>, in bounds: ClosedRange<Value>, step: Value.Stride = 1,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    label = Text(title)
    self.step = { count in
      let next = value.wrappedValue.advanced(by: count < 0 ? 0 - step : step)
      if bounds.contains(next) { value.wrappedValue = next }
    }
  }
}

/// A choice.
public nonisolated struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View,
  Primitive
{
  private let label: Label
  private let selection: Binding<SelectionValue>
  private let content: Content

  @MainActor func outline(at _: Place) -> Outline {
    _ = selection.wrappedValue
    let selection = selection
    return Outline(
      parts: [Part(key: "label", view: label), Part(key: "content", view: content)],
      control: .picker(
        selection: Binding(
          read: { AnyHashable(selection.wrappedValue) },
          write: { value, _ in
            if let value = value.base as? SelectionValue { selection.wrappedValue = value }
          })))
  }
}

extension Picker where Label == Text {
  /// Makes a picker with a title; its content has a tag for each choice.
  public init<Title: StringProtocol>(
    _ title: Title, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
  ) {
    label = Text(title)
    self.selection = selection
    self.content = content()
  }
}
