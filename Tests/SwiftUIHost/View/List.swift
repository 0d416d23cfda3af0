/// Rows of which only those that fit on the screen are there.
public nonisolated struct List<SelectionValue: Hashable, Content: View>: View, Primitive {
  private let content: Content

  @MainActor func outline(at place: Place) -> Outline {
    let rows = rows(of: content, key: [])
    let last = max(rows.count - place.environment.visibleRows, 0)
    place.firstRow = min(place.firstRow, last)
    let visible = rows.dropFirst(place.firstRow).prefix(place.environment.visibleRows)
    return Outline(parts: Array(visible), control: .list, rowCount: rows.count)
  }

  @MainActor private func rows(of view: any View, key: [AnyHashable]) -> [Part] {
    guard let arrangement = view as? any Arrangement else { return [Part(key: key, view: view)] }
    return arrangement.parts.flatMap { rows(of: $0.view, key: key + [$0.key]) }
  }
}

extension List where SelectionValue == Never {
  /// Makes a list of the rows that the content has.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  /// Makes a list with a row for each element.
  public init<Data: RandomAccessCollection, RowContent: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where Data.Element: Identifiable, Content == ForEach<Data, Data.Element.ID, RowContent> {
    content = ForEach(data, content: rowContent)
  }
}

extension EnvironmentValues {
  private struct VisibleRowsKey: EnvironmentKey {
    static var defaultValue: Int { 20 }
  }

  /// How many rows of a list fit on the screen.
  var visibleRows: Int {
    get { self[VisibleRowsKey.self] }
    set { self[VisibleRowsKey.self] = newValue }
  }
}
