/// How something is drawn; here nothing is.
public protocol ShapeStyle: Sendable {}

/// A colour.
public struct Color: ShapeStyle {
  /// Red.
  public static let red = Color()
  /// Green.
  public static let green = Color()
}

/// A level of importance.
public struct HierarchicalShapeStyle: ShapeStyle {
  /// Less important.
  public static let secondary = HierarchicalShapeStyle()
}

extension ShapeStyle where Self == Color {
  /// Red.
  public static var red: Color { Color.red }
  /// Green.
  public static var green: Color { Color.green }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  /// Less important.
  public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle.secondary }
}

/// The type of a text.
public struct Font: Sendable {
  /// For the largest title.
  public static let largeTitle = Font()
}

/// How a button is drawn and takes taps.
public protocol PrimitiveButtonStyle {}

/// The style of a button that takes only its own taps, also in a row of a list.
public nonisolated struct BorderlessButtonStyle: PrimitiveButtonStyle {
  /// Makes the style.
  public init() {}
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  /// The button takes only its own taps.
  public nonisolated static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

extension View {
  /// Sets the style of buttons.
  public func buttonStyle<Style: PrimitiveButtonStyle>(_ style: Style) -> some View { self }

  /// Sets the type.
  public func font(_ font: Font?) -> some View { self }

  /// Sets the colour.
  public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View { self }
}
