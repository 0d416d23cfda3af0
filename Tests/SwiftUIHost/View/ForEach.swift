/// A view for each element of a collection, recognised by the element's id.
public nonisolated struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View,
  Arrangement
{
  private let data: Data
  private let id: (Data.Element) -> ID
  private let content: (Data.Element) -> Content

  var parts: [Part] { data.map { Part(key: id($0), view: content($0)) } }
}

extension ForEach where ID == Data.Element.ID, Data.Element: Identifiable {
  /// Makes a view for each element.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.data = data
    id = { $0.id }
    self.content = content
  }
}

extension ForEach {
  /// Makes a view for a binding to each element of a bound collection.
  public init<C: MutableCollection & RandomAccessCollection>(
    _ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
  )
  where
    Data == LazyMapSequence<C.Indices, (C.Index, ID)>, C.Element: Identifiable, ID == C.Element.ID,
    C.Index: Hashable
  {
    let elements = data.wrappedValue
    self.data = elements.indices.lazy.map { ($0, elements[$0].id) }
    id = { $0.1 }
    self.content = { content(data[dynamicMember: \C[$0.0]]) }
  }

  /// Makes a view for each element, which a key path identifies.
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = { $0[keyPath: id] }
    self.content = content
  }
}
