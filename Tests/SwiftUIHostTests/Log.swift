/// What a test notes.
@MainActor
final class Log {
  private(set) var entries: [String] = []

  func note(_ entry: String) {
    entries.append(entry)
  }

  func take() -> [String] {
    defer { entries = [] }
    return entries
  }
}
