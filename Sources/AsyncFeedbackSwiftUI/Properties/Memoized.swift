#if canImport(SwiftUI)
  public import SwiftUI

  /// A pure function that a view computes again only when its inputs have changed.
  ///
  /// ```swift
  /// import AsyncFeedbackSwiftUI
  /// import SwiftUI
  ///
  /// struct Names: View {
  ///   let names: [String]
  ///   @State private var query = ""
  ///   private var found = Memoized { (names: [String], query: String) in
  ///     names.filter { $0.contains(query) }
  ///   }
  ///
  ///   init(_ names: [String]) {
  ///     self.names = names
  ///   }
  ///
  ///   var body: some View {
  ///     TextField("Search", text: $query)
  ///     ForEach(found.value(for: names, query), id: \.self) { Text($0) }
  ///   }
  /// }
  /// ```
  ///
  /// It is a `Memo` that lives with the identity of the view: inputs that share their storage with those of the
  /// last evaluation are recognised without a look at their elements, others are compared. The function is the
  /// one that the view was made with first, so it takes all it needs as inputs.
  @MainActor
  public struct Memoized<Value: Sendable, each Input: Equatable & Sendable>: DynamicProperty {
    // Without the inputs' types: a runtime that is asked for the type of such a field by its name, as it is
    // for the state of a view, has crashed in several versions.
    private var memo: State<AnyObject>

    /// Makes a property of a function of its inputs, and of nothing else.
    public init(_ compute: @escaping @Sendable (repeat each Input) -> Value) {
      memo = State(initialValue: Memo(compute) as AnyObject)
    }

    /// The value for these inputs.
    public func value(for inputs: repeat each Input) -> Value {
      let memo = unsafeDowncast(memo.wrappedValue, to: Memo<Value, repeat each Input>.self)
      return memo.value(for: repeat each inputs)
    }
  }
#endif
