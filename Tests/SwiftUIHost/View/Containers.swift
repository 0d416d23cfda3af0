/// Views that belong together.
public nonisolated struct Group<Content: View>: View, Arrangement {
  private let content: Content

  /// Groups views.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  var parts: [Part] { [Part(key: 0, view: content)] }
}

/// Views that belong together, in a list.
public nonisolated struct Section<Content: View>: View, Arrangement {
  private let content: Content

  /// Makes a section without a header.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  var parts: [Part] { [Part(key: 0, view: content)] }
}

/// Views below each other.
public nonisolated struct VStack<Content: View>: View, Primitive {
  private let content: Content

  /// Arranges views; there is no layout here.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  @MainActor func outline(at _: Place) -> Outline { Outline(parts: [Part(key: 0, view: content)]) }
}

/// Views beside each other.
public nonisolated struct HStack<Content: View>: View, Primitive {
  private let content: Content

  /// Arranges views; there is no layout here.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  @MainActor func outline(at _: Place) -> Outline { Outline(parts: [Part(key: 0, view: content)]) }
}

/// A screen that others can be laid over.
public nonisolated struct NavigationStack<Root: View>: View, Primitive {
  private let root: Root

  /// Shows the root: there is no navigation here.
  public init(@ViewBuilder root: () -> Root) {
    self.root = root()
  }

  @MainActor func outline(at _: Place) -> Outline { Outline(parts: [Part(key: 0, view: root)]) }
}
