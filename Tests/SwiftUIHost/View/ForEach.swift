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
