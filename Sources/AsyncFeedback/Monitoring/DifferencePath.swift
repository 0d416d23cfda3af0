/// Where in a value a change is, as Swift would reach it: `posts[3].author?.name`.
struct DifferencePath {
  private var steps = ""

  /// The path as text, empty for the whole value.
  var place: String {
    var place = steps[...]
    while place.hasSuffix("?") { place.removeLast() }
    return String(place)
  }

  /// The payload of an optional.
  var unwrapped: DifferencePath { appending(steps.isEmpty ? "" : "?") }

  func inPart(_ label: String) -> DifferencePath {
    let label = label.hasPrefix(".") ? String(label.dropFirst()) : label
    return appending(steps.isEmpty ? label : ".\(label)")
  }

  /// The payload of a case.
  func inCase(_ name: String) -> DifferencePath { appending(".\(name)") }

  func inElement(_ position: Int) -> DifferencePath { appending("[\(position)]") }

  func inElements(_ positions: Range<Int>) -> DifferencePath {
    appending("[\(positions.lowerBound)..<\(positions.upperBound)]")
  }

  func inEntry(_ key: Any) -> DifferencePath { appending("[\(describe(key, limit: 40))]") }

  /// A line about the value at this path.
  func labelling(_ text: String) -> String {
    let place = place
    return place.isEmpty ? text : "\(place): \(text)"
  }

  private func appending(_ step: String) -> DifferencePath {
    var longer = self
    longer.steps += step
    return longer
  }
}
