/// A pure function that is computed again only when its inputs have changed.
///
/// ```swift
/// let shown = Memo { (names: [String], query: String) in names.filter { $0.contains(query) } }
/// let names = ["Anna", "Bert", "Hanna"]
/// print(shown.value(for: names, "nn"))  // ["Anna", "Hanna"]
/// print(shown.value(for: names, "nn"))  // the same array, with no element looked at
/// ```
///
/// It remembers the newest inputs and their value, no others: a memo belongs to one place, such as a store, a
/// system or a view. Inputs that share their storage with those of the last time (arrays, strings, sets,
/// dictionaries, and what is made of them) are recognised without a look at their elements; all others are
/// compared with `==`, as law 11 says.
///
/// It may be used from anywhere, also by several threads at a time. Two that ask for the same new inputs in
/// the same moment both compute. A memo keeps what it remembers alive, so an array that is changed in place
/// afterwards is copied once.
public final class Memo<Value: Sendable, each Input: Equatable & Sendable>: Sendable {
  private struct Entry: Sendable {
    let inputs: (repeat each Input)
    let value: Value

    func isUnchanged(_ inputs: repeat each Input) -> Bool {
      for (old, new) in repeat (each self.inputs, each inputs) {
        guard AsyncFeedback.isUnchanged(old, new) else { return false }
      }
      return true
    }
  }

  private let compute: @Sendable (repeat each Input) -> Value
  private let newest = Lock<Entry?>(nil)

  /// Makes a memo of a function of its inputs, and of nothing else.
  public init(_ compute: @escaping @Sendable (repeat each Input) -> Value) {
    self.compute = compute
  }

  /// The value for these inputs.
  public func value(for inputs: repeat each Input) -> Value {
    // Neither the comparison nor the function is our code, so neither runs under the lock.
    if let entry = newest.withLock({ $0 }), entry.isUnchanged(repeat each inputs) {
      return entry.value
    }
    let value = compute(repeat each inputs)
    let entry = Entry(inputs: (repeat each inputs), value: value)
    // What goes is let go of outside the lock.
    let replaced = newest.withLock { newest in
      defer { newest = entry }
      return newest
    }
    return withExtendedLifetime(replaced) { value }
  }
}
