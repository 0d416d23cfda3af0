/// A view with something added to it.
nonisolated struct Modified<Content: View>: View, Primitive {
  let content: Content
  var key: AnyHashable = 0
  let modify: @MainActor (inout Outline, EnvironmentValues) -> Void

  @MainActor func outline(at place: Place) -> Outline {
    var outline = Outline(parts: [Part(key: key, view: content)])
    modify(&outline, place.environment)
    return outline
  }
}

extension View {
  func modified(
    key: AnyHashable = 0, _ modify: @escaping @MainActor (inout Outline, EnvironmentValues) -> Void
  ) -> Modified<Self> {
    Modified(content: self, key: key, modify: modify)
  }

  func setting(_ change: @escaping (inout EnvironmentValues) -> Void) -> Modified<Self> {
    modified { outline, environment in
      var environment = environment
      change(&environment)
      outline.environment = environment
    }
  }
}
