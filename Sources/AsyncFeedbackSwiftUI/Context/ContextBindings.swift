#if canImport(SwiftUI)
  public import SwiftUI

  /// Bindings to the state of a context, for the controls of a view; `$context` is one.
  ///
  /// Each is a binding to one field: who makes or reads it is invalidated by that field alone. A part of a
  /// field is reached as `$context[\.user.name]`, which follows the name alone, or as `$context.user.name`,
  /// which follows the user.
  ///
  /// An element of a collection is `$context.rows[1]`, which follows the rows, or
  /// `Binding(context.binding.rows[1])`, which follows the element and whether its place is there. Within one
  /// key path, `$context[\.rows[1]]`, the place has to stay: once read, the path is looked along after each
  /// transition until its value has changed, before any view is asked again.
  @MainActor
  @dynamicMemberLookup
  public struct ContextBindings<System: SystemProtocol> {
    private let context: Context<System>

    init(_ context: Context<System>) {
      self.context = context
    }

    /// A binding to a field.
    ///
    /// A write is a transition of its own, without an event; feedbacks react to what it changes.
    public subscript<Value>(
      dynamicMember keyPath: WritableKeyPath<System.State, Value>
    ) -> Binding<Value> {
      Binding(context.binding[dynamicMember: keyPath])
    }

    /// A binding to a part of the state; with `\.self` to the whole.
    public subscript<Value>(_ keyPath: WritableKeyPath<System.State, Value>) -> Binding<Value> {
      self[dynamicMember: keyPath]
    }

    /// A binding that reads a field and sends an event instead of writing.
    ///
    /// <!-- sample: uses Examples/Todo/System/TodoSystem.swift Examples/Todo/System/TodoList.swift -->
    /// ```swift
    /// import AsyncFeedbackSwiftUI
    /// import SwiftUI
    ///
    /// struct FilterPicker: View {
    ///   @ViewContext var context: Context<Todos>
    ///
    ///   var body: some View {
    ///     Picker("Filter", selection: $context[\.filter, sending: { .filterSelected($0) }]) {
    ///       ForEach(Todos.Filter.allCases, id: \.self) { Text($0.rawValue).tag($0) }
    ///     }
    ///   }
    /// }
    /// ```
    ///
    /// It reads its own write at once, also while the event waits for the loop. Where the reducer makes
    /// something else of the value than was written, the view is told once, so that a text field takes the
    /// correction.
    public subscript<Value: Equatable & SendableMetatype>(
      _ keyPath: KeyPath<System.State, Value>, sending event: @escaping (Value) -> System.Event,
      fileID: StaticString = #fileID, line: UInt = #line
    ) -> Binding<Value> {
      Binding(context.binding(keyPath, sending: event, fileID: fileID, line: line))
    }
  }
#endif
