/// Shows two values next to each other: `"a" → "b"`.
func changeText(from old: Any, to new: Any) -> String {
  if let old = old as? String, let new = new as? String, max(old.utf8.count, new.utf8.count) > 100 {
    return excerpts(from: old, to: new)
  }
  let (oldText, newText) = (ValueText(of: old, limit: 100), ValueText(of: new, limit: 100))
  let change = "\(oldText.text) → \(newText.text)"
  guard oldText.text == newText.text else { return change }
  if oldText.isCut || newText.isCut { return "\(change) (the difference is in what is cut)" }
  if type(of: old) != type(of: new) {
    return "\(oldText.text) (\(type(of: old))) → \(newText.text) (\(type(of: new)))"
  }
  return unseenChange(in: new)
}

/// Says that a value changed in a way that its text does not show.
func unseenChange(in value: Any) -> String {
  "changed, though old and new both read \(describe(value))"
}

/// Shows two long texts from shortly before the first character in which they differ.
private func excerpts(from old: String, to new: String) -> String {
  let shared = zip(old, new).prefix { $0 == $1 }.count
  let start = max(0, shared - 20)
  func excerpt(_ text: String) -> String {
    let shown = text.dropFirst(start).prefix(60)
    let (before, after) = (start > 0 ? "…" : "", shown.endIndex < text.endIndex ? "…" : "")
    return "\(before)\(shown)\(after)".debugDescription
  }
  return "\(excerpt(old)) → \(excerpt(new))"
    + " (from character \(shared) on; \(old.count) → \(new.count) characters)"
}

/// The ranges of ascending positions that follow each other.
func runs(of positions: [Int]) -> [Range<Int>] {
  var runs: [Range<Int>] = []
  for position in positions {
    if let last = runs.last, last.upperBound == position {
      runs[runs.count - 1] = last.lowerBound..<position + 1
    } else {
      runs.append(position..<position + 1)
    }
  }
  return runs
}
