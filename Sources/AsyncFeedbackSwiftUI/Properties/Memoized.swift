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
  ///   private let found = Memoized { (names: [String], query: String) in
  ///     names.filter { $0.contains(query) }
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
    private let memo: State<Memo<Value, repeat each Input>>

    /// Makes a property of a function of its inputs, and of nothing else.
    public init(_ compute: @escaping @Sendable (repeat each Input) -> Value) {
      memo = State(initialValue: Memo(compute))
    }

    /// The value for these inputs.
    public func value(for inputs: repeat each Input) -> Value {
      memo.wrappedValue.value(for: repeat each inputs)
    }
  }
#endif
